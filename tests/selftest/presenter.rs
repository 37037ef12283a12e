//! What a person sees of a run: its steps while it goes on, and what came of it.

mod child;
mod course;
mod follow;
mod listener;
mod nested;
mod running;
mod screen;
mod summary;
mod world;
