//! Command lines that the CLI refused.

use harness::reason::ClaudeReason::*;

use super::row::rows;
use super::run::{control, failed, silent};

rows! {
    unknown_option_bare: silent().exit(1).stderr("error: unknown option '--bare'\n") => Err(CliUsage);
    unknown_option_session: silent().exit(1).stderr("error: unknown option '--no-session-persistence'\n") => Err(CliUsage);
    unknown_option_behind_a_warning: silent().exit(1).stderr("Warning: old\r\nerror: unknown option '--bare'\r\n") => Err(CliUsage);
    unknown_command: silent().exit(1).stderr("error: unknown command 'made-up'\n") => Err(CliUsage);
    argument_missing: silent().exit(1).stderr("error: option '--made-up <n>' argument missing\n") => Err(CliUsage);
    argument_invalid: silent().exit(1).stderr("error: option '--made-up <n>' argument 'ECONNREFUSED' is invalid.\n") => Err(CliUsage);
    argument_required: silent().exit(1).stderr("error: missing required argument 'name'\n") => Err(CliUsage);
    arguments_too_many: silent().exit(1).stderr("error: too many arguments. Expected 1 argument but got 2.\n") => Err(CliUsage);
    no_prompt: silent().exit(1)
        .stderr("Error: Input must be provided either through stdin or as a prompt argument when using --print\n") => Err(CliUsage);
    verbose_missing: silent().exit(1).stderr("Error: When using --print, --made-up requires --verbose\n") => Err(CliUsage);
    sources_invalid: silent().exit(1).stderr("Error processing --setting-sources: made up\n") => Err(CliUsage);
    usage_with_exit_0_is_not_searched: silent().stderr("error: unknown option '--bare'\n") => Err(NoResultEvent);
    usage_beside_a_clean_result: control().exit(1).stderr("error: unknown option '--bare'\n") => Err(Unclassified);
    usage_beside_an_error_result: failed("Something was odd.").stderr("error: unknown option '--bare'\n") => Err(ErrorResult);
    usage_in_the_middle_of_a_line: silent().exit(1).stderr("hook said error: unknown option '--bare'\n") => Err(Unclassified);
}
