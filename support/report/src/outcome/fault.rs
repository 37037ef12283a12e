//! What is wrong with a JUnit file.

harness::closed_set! {
    /// What is wrong with a JUnit file.
    pub enum JunitFault(meaning) {
        NotUtf8 => "not-utf8", "it is not UTF-8";
        NotXml => "not-xml", "it is not one well-formed XML document";
        Doctype => "doctype", "it has a document type, which may declare entities";
        Structure => "structure", "its elements are not those that nextest writes";
        ReportName => "report-name", "it is not named as the smoke's profiles name it";
        RunId => "run-id", "its run id is not that of the run, or no UUID";
        Time => "time", "a time is not in the form that nextest writes";
        OtherBinary => "other-binary", "it holds tests of another binary than the smoke";
        UnknownTest => "unknown-test", "it holds a test that is neither a check nor the run";
        RepeatedTest => "repeated-test", "it holds a test twice";
        NoTest => "no-test", "it holds no test";
        Totals => "totals", "its totals are not those of its tests";
    }
}
