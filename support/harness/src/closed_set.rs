//! Closed sets of stable ids: whatever the suite says about a deployment is a member of one.

/// A closed set of stable ids.
pub trait ClosedSet: Copy + 'static {
    /// Every member.
    const MEMBERS: &'static [Self];

    /// The stable id that people filter and grep for.
    fn id(self) -> &'static str;
}

/// Declares a closed set: the enum, its ids, its texts and the list of all.
#[macro_export]
macro_rules! closed_set {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident($text:ident) {
            $( $variant:ident => $id:literal, $help:literal; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name {
            $( #[doc = $help] $variant, )*
        }

        impl $name {
            /// Every member, in the order in which the table lists them.
            pub const ALL: &[Self] = &[$( Self::$variant, )*];

            /// The stable id that people filter and grep for.
            pub const fn id(self) -> &'static str {
                match self { $( Self::$variant => $id, )* }
            }

            /// One sentence for the person who reads the failure.
            pub const fn $text(self) -> &'static str {
                match self { $( Self::$variant => $help, )* }
            }

            /// The member with this id.
            pub fn from_id(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|member| member.id() == id)
            }
        }

        impl $crate::closed_set::ClosedSet for $name {
            const MEMBERS: &'static [Self] = Self::ALL;

            fn id(self) -> &'static str {
                self.id()
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.id())
            }
        }
    };
}

pub(crate) use closed_set;
