//! The threads that digest, and what is on its way through them.

use std::collections::VecDeque;
use std::fs::File;
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

use super::Tell;
use super::chunk::Chunk;
use crate::digest::file::RegularFile;
use crate::digest::tree::TreeError;

/// Most threads that digest; each has one buffer.
const THREADS_MOST: usize = 8;

/// Most chunks that wait for a thread; each keeps its directory open.
const QUEUE_MOST: usize = 16;

/// Most bytes of chunks that have not been told yet. Much, so that one large file keeps the other
/// threads from nothing.
const PENDING_MOST: usize = 4 << 20;

/// Gives a pool to `visit` and returns when all that was handed over has been told.
pub(super) fn with(
    tell: &mut Tell<'_>,
    visit: impl FnOnce(&mut Pool<'_, '_, '_>) -> Result<(), TreeError>,
) -> Result<(), TreeError> {
    let shared = Shared::default();
    thread::scope(|scope| {
        let stop = Stop(&shared);
        let mut pool = Pool {
            scope,
            shared: &shared,
            tell,
            threads: 0,
            threads_most: thread::available_parallelism()
                .map_or(1, NonZero::get)
                .min(THREADS_MOST),
            pending: VecDeque::new(),
            pending_bytes: 0,
        };
        let visited = visit(&mut pool).and_then(|()| pool.finish());
        drop(stop);
        // That the visitor was told to stop is not the cause.
        let failure = shared.lock().failure;
        failure.map_or(visited, Err)
    })
}

/// Digests what it is handed, and tells it in that order.
pub(super) struct Pool<'p, 'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    shared: &'scope Shared,
    tell: &'p mut Tell<'p>,
    threads: usize,
    threads_most: usize,
    pending: VecDeque<Arc<Chunk>>,
    pending_bytes: usize,
}

impl Pool<'_, '_, '_> {
    /// Takes entries of a directory; waits where there are too many already.
    pub(super) fn hand_over(
        &mut self,
        chunk: Chunk,
        directory: &Arc<File>,
    ) -> Result<(), TreeError> {
        let chunk = Arc::new(chunk);
        self.pending_bytes += chunk.bytes();
        self.pending.push_back(Arc::clone(&chunk));
        if let Some(next) = chunk.file_from(0) {
            let files = chunk.files();
            let idle = self.shared.queue(
                files,
                Queued {
                    chunk,
                    directory: Arc::clone(directory),
                    next,
                },
            );
            self.start_threads(files.saturating_sub(idle))?;
        }
        self.settle(QUEUE_MOST, PENDING_MOST)
    }

    /// Starts so many threads, but not more than there may be.
    fn start_threads(&mut self, wanted: usize) -> Result<(), TreeError> {
        for _ in 0..wanted.min(self.threads_most - self.threads) {
            let shared = self.shared;
            thread::Builder::new().spawn_scoped(self.scope, || shared.work())?;
            self.threads += 1;
        }
        Ok(())
    }

    /// Waits until all is told.
    fn finish(&mut self) -> Result<(), TreeError> {
        self.settle(QUEUE_MOST, 0)
    }

    /// Tells what can be told, and waits until no more than this is left.
    fn settle(&mut self, queue_most: usize, pending_most: usize) -> Result<(), TreeError> {
        loop {
            while let Some(chunk) = self.pending.pop_front_if(|chunk| chunk.is_done()) {
                self.pending_bytes -= chunk.bytes();
                chunk.tell(self.tell);
            }
            let Some(first) = self.pending.front() else {
                return Ok(());
            };
            let mut state = self.shared.lock();
            loop {
                if state.stop {
                    return Err(TreeError::Changed);
                }
                if first.is_done() {
                    break;
                }
                if state.queue.len() <= queue_most && self.pending_bytes <= pending_most {
                    return Ok(());
                }
                let waited = self.shared.progress.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// What the threads share.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// There is work, or no more will come.
    work: Condvar,
    /// A chunk is done, the queue is short, or a thread has failed.
    progress: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Queued>,
    /// Threads that wait for work.
    idle: usize,
    stop: bool,
    failure: Option<TreeError>,
}

/// A chunk of which some files are still to be taken.
struct Queued {
    chunk: Arc<Chunk>,
    directory: Arc<File>,
    /// Number of the next file.
    next: usize,
}

/// A file to digest.
struct Job {
    chunk: Arc<Chunk>,
    directory: Arc<File>,
    number: usize,
}

impl Shared {
    /// Adds so many files; returns how many threads had none.
    fn queue(&self, files: usize, queued: Queued) -> usize {
        let mut state = self.lock();
        state.queue.push_back(queued);
        let idle = state.idle;
        drop(state);
        for _ in 0..idle.min(files) {
            self.work.notify_one();
        }
        idle
    }

    /// What a thread does.
    fn work(&self) {
        let _failing = Failing(self);
        let mut buffer = Vec::new();
        let mut done = false;
        while let Some(job) = self.next(done) {
            let name = job.chunk.name(job.number).unwrap_or_default();
            let digest = RegularFile::open_at(&*job.directory, name)
                .and_then(|file| file.digest_with(&mut buffer));
            match digest {
                Ok(digest) => done = job.chunk.set(job.number, digest),
                Err(error) => {
                    self.fail(error.into());
                    break;
                }
            }
        }
    }

    /// The next file, once there is one; none if no more will come.
    fn next(&self, done: bool) -> Option<Job> {
        let mut state = self.lock();
        if done {
            self.progress.notify_one();
        }
        loop {
            if state.stop {
                return None;
            }
            if let Some(queued) = state.queue.front_mut() {
                let job = Job {
                    chunk: Arc::clone(&queued.chunk),
                    directory: Arc::clone(&queued.directory),
                    number: queued.next,
                };
                match queued.chunk.file_from(queued.next + 1) {
                    Some(next) => queued.next = next,
                    None => {
                        state.queue.pop_front();
                        if state.queue.len() == QUEUE_MOST / 2 {
                            self.progress.notify_one();
                        }
                    }
                }
                return Some(job);
            }
            state.idle += 1;
            let waited = self.work.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }

    /// Ends the threads, because of this error if it is the first.
    fn fail(&self, error: TreeError) {
        self.lock().failure.get_or_insert(error);
        self.stop();
    }

    fn stop(&self) {
        self.lock().stop = true;
        self.work.notify_all();
        self.progress.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the threads when it is dropped.
struct Stop<'s>(&'s Shared);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Ends the others with a thread that panics: what it was digesting would be waited for in vain.
struct Failing<'s>(&'s Shared);

impl Drop for Failing<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail(TreeError::Io("a reading thread ended early"));
        }
    }
}
