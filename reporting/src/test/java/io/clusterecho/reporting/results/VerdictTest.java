package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.clusterecho.reporting.diagnosis.Findings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictTest
{
    private static final long NS_PER_MS = SampleEvidence.NS_PER_MS;
    private static final long BOUND_NS = SampleEvidence.OUTAGE_BOUND_NS;

    private final SampleEvidence run = new SampleEvidence();
    private final SampleEvidence failover = SampleEvidence.ofFailover();

    @Test
    void shouldWarnOfARunThatDrifts()
    {
        final SampleEvidence sample = new SampleEvidence();
        final String change = "p50 changed from 500 us to 400 us, 8.0 s after the start";
        sample.steadyState = new SteadyState(true, 8_000_000_000L, List.of(change));
        assertThat(sample.verdict().isGood()).isTrue();
        assertThat(sample.verdict().warnings()).containsExactly(
            "NOT STATIONARY: " + change + "; steady from 8.0 s after the start of the warm-up on: a longer one leaves that out");
        sample.steadyState = new SteadyState(false, null, List.of(change));
        assertThat(sample.verdict().warnings()).containsExactly(
            "NOT STATIONARY: " + change + "; the percentiles are those of a mixture");

        sample.steadyState = new SteadyState(true, 1L, List.of());
        assertThat(sample.verdict().warnings()).isEmpty();
        sample.steadyState = SteadyState.unknown("the run is short");
        assertThat(sample.verdict().warnings()).isEmpty();
        sample.isFailover = true;
        sample.steadyState = new SteadyState(false, null, List.of(change));
        assertThat(sample.verdict().warnings()).noneMatch((warning) -> warning.contains("STATIONARY"));
    }

    @Test
    void shouldCallARunLimitedByItsClientOnlyIfThatIsDecided()
    {
        run.clientShare = share(ClientShare.Decision.LIMITED);
        assertThat(run.verdict().label()).isEqualTo("CLIENT-LIMITED");
        assertThat(run.verdict().isGood()).as("the accounts are those of a valid run").isTrue();
        assertThat(run.verdict().exitStatus()).isEqualTo(ExitCode.GOOD);
        assertThat(run.verdict().reasons()).isEmpty();
        assertThat(run.verdict().warnings()).containsExactly(run.clientShare.warning());

        run.clientShare = share(ClientShare.Decision.UNDECIDED);
        assertThat(run.verdict().label()).isEqualTo("GOOD");
        assertThat(run.verdict().warnings()).containsExactly(run.clientShare.warning());

        run.clientShare = share(ClientShare.Decision.BELOW);
        assertThat(run.verdict().label()).isEqualTo("GOOD");
        assertThat(run.verdict().warnings()).isEmpty();
    }

    @Test
    void shouldCallARunFailedOrPartialWhateverItsClient()
    {
        run.clientShare = share(ClientShare.Decision.LIMITED);
        run.duplicates = 1;
        assertThat(run.verdict().label()).isEqualTo("FAILED");
        assertThat(run.verdict().warnings()).hasSize(1);
        run.duplicates = 0;
        run.isPartial = true;
        assertThat(run.verdict().label()).isEqualTo("PARTIAL");
    }

    @Test
    void shouldNotJudgeTheClientOfAFailoverTest()
    {
        final List<String> warnings = failover.verdict().warnings();
        failover.clientShare = share(ClientShare.Decision.LIMITED);
        assertThat(failover.verdict().warnings()).isEqualTo(warnings);
        assertThat(failover.verdict().isClientLimited()).isFalse();
    }

    private static ClientShare share(final ClientShare.Decision decision)
    {
        return new ClientShare(0.6, 0.55, 0.65, decision, 600_000, 1_000_000, 10, true, null, null);
    }

    @Test
    void shouldFindAFaultlessRunGood()
    {
        final Verdict verdict = run.verdict();
        assertThat(verdict).isEqualTo(new Verdict(List.of(), List.of(), ""));
        assertThat(verdict.isGood()).isTrue();
        assertThat(verdict.allReasons()).isEmpty();
        assertThat(verdict.label()).isEqualTo("GOOD");
        assertThat(verdict.exitStatus()).isEqualTo(ExitCode.GOOD);
    }

    @Test
    void shouldFailARunWhoseAccountsDoNotAddUp()
    {
        run.answered = 900;
        run.late = 90;
        run.unanswered = 6;
        run.neverSent = 3;
        assertThat(run.verdict().reasons()).first().isEqualTo("the accounts do not add up: scheduled=1000, accounted for=999");

        run.neverSent = 4;
        assertThat(run.verdict().reasons()).noneMatch((reason) -> reason.contains("add up"));
    }

    @Test
    void shouldFailARunThatMeasuredNothing()
    {
        run.isMeasured = false;
        assertThat(run.verdict().reasons()).containsExactly("nothing was measured");

        run.isPartial = true;
        assertThat(run.verdict().reasons()).isEmpty();
    }

    @Test
    void shouldFailARunWithoutAMessageInItsMeasuredWindow()
    {
        run.scheduled = 0;
        run.answered = 0;
        run.ratePerSecondAchieved = 0;
        assertThat(run.verdict().reasons()).containsExactly("nothing was measured");

        run.scheduled = 1;
        run.answered = 1;
        assertThat(run.verdict().reasons()).isEmpty();
    }

    @Test
    void shouldFailARunForOneUnansweredMessage()
    {
        run.answered = 999;
        run.unanswered = 1;
        assertThat(run.verdict().reasons())
            .containsExactly("1 of 1000 messages without a reply (1 unanswered, 0 never sent)");
    }

    @Test
    void shouldFailARunForOneMessageThatWasNeverSent()
    {
        run.answered = 999;
        run.neverSent = 1;
        assertThat(run.verdict().reasons())
            .containsExactly("1 of 1000 messages without a reply (0 unanswered, 1 never sent)");
    }

    @Test
    void shouldNotFailARunForLateReplies()
    {
        run.answered = 1;
        run.late = 999;
        assertThat(run.verdict().isGood()).isTrue();
    }

    @Test
    void shouldFailARunThatMissesItsRateByMoreThanOnePercent()
    {
        run.ratePerSecondAchieved = 990;
        assertThat(run.verdict().isGood()).isTrue();

        run.ratePerSecondAchieved = 989;
        assertThat(run.verdict().reasons()).containsExactly("rate missed: 989 of 1000 messages/s achieved (98.9%)");
    }

    @Test
    void shouldNotJudgeTheRateOfASingleMessage()
    {
        run.ratePerSecondAchieved = 500;
        run.scheduled = 1;
        run.answered = 1;
        assertThat(run.verdict().isGood()).isTrue();

        run.scheduled = 2;
        run.answered = 2;
        assertThat(run.verdict().reasons()).containsExactly("rate missed: 500 of 1000 messages/s achieved (50.0%)");
    }

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void shouldFailARunForOneWrongReply(final boolean isFailover)
    {
        run.isFailover = isFailover;
        run.duplicates = 1;
        assertThat(run.verdict().reasons()).containsExactly("1 duplicate replies");

        run.duplicates = 0;
        run.outOfOrder = 1;
        assertThat(run.verdict().reasons()).containsExactly("1 replies out of order");

        run.outOfOrder = 0;
        run.corrupt = 1;
        assertThat(run.verdict().reasons()).containsExactly("1 corrupt replies");
    }

    @Test
    void shouldNameAServiceWhoseRepliesAreAllCorrupt()
    {
        run.unanswered = run.answered;
        run.answered = 0;
        run.corrupt = 7;
        assertThat(run.verdict().reasons()).anyMatch(
            (reason) -> reason.startsWith("7 corrupt replies and no others: ") && reason.contains("--service plain"));

        run.warmUpAnswered = 1;
        assertThat(run.verdict().reasons()).as("one in the warm-up was not").contains("7 corrupt replies");
        run.warmUpAnswered = 0;
        run.isOwnService = true;
        assertThat(run.verdict().reasons()).as("its messages are not of the echo").contains("7 corrupt replies");
    }

    @Test
    void shouldSuspectDecodeWhereRequestsHaveNoReplyAndMessagesNoRequest()
    {
        run.isOwnService = true;
        run.events = 594;
        assertThat(run.verdict().warnings().toString()).as("each request has a reply").doesNotContain("decode");
        run.unanswered = 400;
        assertThat(run.verdict().warnings()).anyMatch((line) -> line.startsWith("594 messages answered no request that"));
    }

    @ParameterizedTest
    @CsvSource({ "rate, false", "messages, true" })
    void shouldKnowByTheOptionsWhoseMessagesTheyWere(final String option, final boolean isOwn, @TempDir final Path folder)
    {
        final RunDescription description =
            new RunDescription("run", Instant.EPOCH, "", Map.of(option, "1"), Map.of(), "none", "none", 1);
        assertThat(Findings.of(folder, run.evidence(), description, null, List.of()).evidence().isOwnService()).isEqualTo(isOwn);
    }

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void shouldFailARunForAGapOnlyWithinOneSessionAndOneLeader(final boolean isFailover)
    {
        run.isFailover = isFailover;
        run.gaps = 1;
        assertThat(run.verdict().reasons())
            .containsExactly("1 requests rejected because an earlier one was missing, though neither leader nor session changed");

        run.newLeaders = 1;
        assertThat(run.verdict().isGood()).isTrue();

        run.newLeaders = 0;
        run.reconnects = 1;
        assertThat(run.verdict().isGood()).isTrue();

        run.newLeaders = 1;
        assertThat(run.verdict().isGood()).isTrue();
    }

    @Test
    void shouldFailARunWhoseServiceForgotAnAcknowledgedMessage()
    {
        run.forgotten = 2;
        failover.forgotten = 2;
        assertThat(run.verdict().reasons()).isEqualTo(failover.verdict().reasons()).containsExactly(
            "ended early: the service misses 2 messages that it had acknowledged, and rejects all later ones of their client");
    }

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void shouldWarnOfAStallOfTenMsAndFailARunForOneOfHalfASecond(final boolean isFailover)
    {
        run.isFailover = isFailover;
        run.stallNs = 10 * NS_PER_MS - 1;
        assertThat(run.verdict().warnings()).isEmpty();

        run.stallNs = 10 * NS_PER_MS;
        assertThat(run.verdict().warnings())
            .containsExactly("the client's machine was not quiet: the client stalled for up to 10.0 ms");
        assertThat(run.verdict().isGood()).isTrue();

        run.stallNs = 500 * NS_PER_MS - 1;
        assertThat(run.verdict().warnings()).hasSize(1);
        assertThat(run.verdict().isGood()).isTrue();

        run.stallNs = 500 * NS_PER_MS;
        assertThat(run.verdict().reasons()).containsExactly("the client stalled for 500 ms");
        assertThat(run.verdict().warnings()).isEmpty();
    }

    @Test
    void shouldWarnOfAWarmUpThatEndsTenMsBehindSchedule()
    {
        run.warmUpSkipped = 9;
        assertThat(run.verdict().warnings()).isEmpty();

        run.warmUpSkipped = 10;
        assertThat(run.verdict().warnings())
            .containsExactly("the warm-up ended 10.0 ms behind schedule; messages due in that time were not sent");
        assertThat(run.verdict().isGood()).isTrue();
    }

    @Test
    void shouldFailARunThatBeganBehindSchedule()
    {
        run.warmUpSkipped = 499;
        assertThat(run.verdict().isGood()).isTrue();

        run.warmUpSkipped = 500;
        assertThat(run.verdict().isGood()).isFalse();

        run.warmUpSkipped = 12_200;
        assertThat(run.verdict().label()).isEqualTo("FAILED");
        assertThat(run.verdict().reasons()).singleElement().asString().contains("12.2 s behind schedule");
        assertThat(run.verdict().failures()).allMatch((reason) -> Reason.Kind.BEHIND_SCHEDULE == reason.kind());

        failover.warmUpSkipped = 12_200;
        assertThat(failover.verdict().reasons()).isEmpty();
        assertThat(failover.verdict().warnings()).hasSize(1);
    }

    @Test
    void shouldWarnOfAChangeOfLeaderThatNobodyAskedFor()
    {
        run.newLeaders = 1;
        assertThat(run.verdict().warnings()).containsExactly("the leader changed 1 time(s)");
        assertThat(run.verdict().isGood()).isTrue();

        failover.newLeaders = 1;
        assertThat(failover.verdict().warnings()).isEmpty();
    }

    @Test
    void shouldFailARunForEachProblemOfItsEvidence()
    {
        run.problems = List.of("a worker was lost", "the journal is incomplete");
        run.corrupt = 2;
        assertThat(run.verdict().reasons())
            .containsExactly("a worker was lost", "the journal is incomplete", "2 corrupt replies");
    }

    @Test
    void shouldAddProblemsToEvidence()
    {
        run.problems = List.of("first");
        run.warnings = List.of("a warning");
        run.thresholds = "lost==0";
        run.isPartial = true;
        final RunEvidence evidence = run.evidence();
        assertThat(evidence.with(List.of("second"))).isEqualTo(new RunEvidence(
            evidence.measurement(), SampleEvidence.RATE, evidence.thresholds(), true, List.of("first", "second"),
            List.of("a warning"), null, null));
    }

    @Test
    void shouldRepeatTheWarningsOfTheEvidenceBehindItsOwn()
    {
        run.stallNs = 20 * NS_PER_MS;
        run.warnings = List.of("the governor is powersave");
        assertThat(run.verdict().warnings()).containsExactly(
            "the client's machine was not quiet: the client stalled for up to 20.0 ms", "the governor is powersave");
        assertThat(run.verdict().isGood()).isTrue();
    }

    @Test
    void shouldFindAFaultlessRunPartialThatWasEndedEarly()
    {
        run.isPartial = true;
        final Verdict verdict = run.verdict();
        assertThat(verdict.isPartial()).isTrue();
        assertThat(verdict.isGood()).isFalse();
        assertThat(verdict.label()).isEqualTo("PARTIAL");
        assertThat(verdict.exitStatus()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(verdict.allReasons()).containsExactly("partial: ended before its schedule");
    }

    @Test
    void shouldFindAPartialRunFailedThatHasAReasonOrAViolationToo()
    {
        run.isPartial = true;
        run.corrupt = 1;
        assertThat(run.verdict().label()).isEqualTo("FAILED");
        assertThat(run.verdict().exitStatus()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.verdict().allReasons()).containsExactly("1 corrupt replies", "partial: ended before its schedule");

        run.corrupt = 0;
        run.thresholds = "lost>0";
        assertThat(run.verdict().label()).isEqualTo("FAILED");
        assertThat(run.verdict().allReasons())
            .containsExactly("threshold failed: lost>0, but it is 0", "partial: ended before its schedule");
    }

    @Test
    void shouldEndWithTheStatusOfAFailedRunBeforeThatOfAThreshold()
    {
        run.corrupt = 1;
        run.thresholds = "lost>0";
        assertThat(run.verdict().exitStatus()).isEqualTo(ExitCode.RUN_FAILED);
        assertThat(run.verdict().isGood()).isFalse();
        assertThat(run.verdict().label()).isEqualTo("FAILED");
        assertThat(run.verdict().allReasons()).containsExactly("1 corrupt replies", "threshold failed: lost>0, but it is 0");
    }

    @Test
    void shouldNotChangeWithTheListsOfItsEvidence()
    {
        final List<String> problems = new ArrayList<>(List.of("a worker was lost"));
        run.problems = problems;
        final Verdict verdict = run.verdict();
        problems.clear();
        assertThat(verdict.reasons()).containsExactly("a worker was lost");
    }

    @Test
    void shouldFindAFaultlessFailoverTestGood()
    {
        failover.isExactlyOnce = true;
        failover.cycles.add(new CycleBuilder(1).cycle());
        assertThat(failover.verdict()).isEqualTo(new Verdict(List.of(), List.of(), ""));
    }

    @Test
    void shouldAllowLossesAndAMissedRateUnderFaultsToAClientThatSendsOnce()
    {
        failover.answered = 600;
        failover.unanswered = 400;
        failover.ratePerSecondAchieved = 600;
        assertThat(failover.verdict().isGood()).isTrue();
    }

    @Test
    void shouldFailAnExactlyOnceTestForOneMessageWithoutAReply()
    {
        failover.isExactlyOnce = true;
        failover.answered = 998;
        failover.unanswered = 1;
        failover.neverSent = 1;
        assertThat(failover.verdict().reasons()).containsExactly("2 messages without a reply at the end");

        failover.isMeasured = false;
        assertThat(failover.verdict().reasons()).containsExactly("nothing was measured");
    }

    @Test
    void shouldFailATestForACycleThatIsNotValid()
    {
        failover.cycles.add(new CycleBuilder(1).cycle());
        failover.cycles.add(new CycleBuilder(2).with("problem", "no echo within 30 s").cycle());
        assertThat(failover.verdict().reasons()).containsExactly("cycle 2: no echo within 30 s");
        assertThat(failover.verdict().warnings()).isEmpty();
    }

    @Test
    void shouldWarnOfAKilledLeaderWithoutAnOutage()
    {
        failover.cycles.add(new CycleBuilder(1).with("effect", Cycle.Effect.KILLS).with("outageNs", 1).cycle());
        failover.cycles.add(new CycleBuilder(2).cycle());
        assertThat(failover.verdict().warnings()).isEmpty();

        failover.cycles.add(new CycleBuilder(3).with("effect", Cycle.Effect.KILLS).with("outageNs", 0).cycle());
        assertThat(failover.verdict().warnings()).containsExactly(
            "cycle 3: the leader was killed but there was no gap in the replies: the outage of 0 is not that of a failover");
        assertThat(failover.verdict().isGood()).isTrue();
    }

    @Test
    void shouldOnlyWarnOfACycleThatWasInterrupted()
    {
        failover.cycles.add(new CycleBuilder(3).with("problem", "interrupted").with("interrupted", true).cycle());
        assertThat(failover.verdict().warnings()).containsExactly("cycle 3: interrupted");
        assertThat(failover.verdict().reasons()).isEmpty();
    }

    @Test
    void shouldFailATestForAnEchoWithoutAQuorum()
    {
        failover.cycles.add(new CycleBuilder(1).with("echoesWithoutQuorum", 1).cycle());
        assertThat(failover.verdict().reasons()).containsExactly("cycle 1: 1 replies while there was no quorum");

        failover.cycles.set(0, new CycleBuilder(1).with("interrupted", true).with("echoesWithoutQuorum", 1).cycle());
        assertThat(failover.verdict().reasons()).containsExactly("cycle 1: 1 replies while there was no quorum");
    }

    @Test
    void shouldFailATestThatLostAnAcknowledgedMessage()
    {
        failover.acknowledgedLost = 1;
        assertThat(failover.verdict().reasons()).containsExactly("1 acknowledged messages were lost");
    }

    @Test
    void shouldFailATestThatAppliedAMessageTwice()
    {
        failover.appliedTwice = 1;
        assertThat(failover.verdict().reasons()).containsExactly("1 messages were applied twice");
    }

    /** 1 of 200 may have been in flight when the next fault followed. */
    @Test
    void shouldWarnOfMessagesWithoutAReplyAfterTheReturn()
    {
        failover.afterReturn = new Cycle.PartTimes(995, 5, null);
        assertThat(failover.verdict().warnings()).isEmpty();
        failover.afterReturn = new Cycle.PartTimes(994, 6, null);
        assertThat(failover.verdict().warnings()).containsExactly(
            "6 of 1,000 messages that were due once all members were back got no reply, without a fault: does the service " +
            "answer each?");
        assertThat(failover.verdict().reasons()).isEmpty();
    }

    @Test
    void shouldFailATestForAFindingOfTheAudit()
    {
        failover.findingCount = 1;
        failover.firstFinding = "member 1 lacks position 64";
        assertThat(failover.verdict().reasons())
            .containsExactly("the audit has 1 finding(s); the first: member 1 lacks position 64");
    }

    @Test
    void shouldFailAWholeTestThatWasNotAudited()
    {
        failover.isAudited = false;
        assertThat(failover.verdict().reasons()).containsExactly("the members' logs were not audited");

        failover.problems = List.of("a member did not start");
        assertThat(failover.verdict().reasons()).containsExactly("a member did not start");

        failover.problems = List.of();
        failover.isPartial = true;
        assertThat(failover.verdict().reasons()).isEmpty();
    }

    @Test
    void shouldWarnOfAnOutageBeyondItsBoundByMoreThanItsResolution()
    {
        failover.cycles.add(new CycleBuilder(1)
            .with("outageNs", BOUND_NS + 2 * NS_PER_MS).with("outageResolutionNs", 2 * NS_PER_MS).cycle());
        assertThat(failover.verdict().warnings()).isEmpty();

        failover.cycles.add(new CycleBuilder(2)
            .with("outageNs", BOUND_NS + 2 * NS_PER_MS + 1).with("outageResolutionNs", 2 * NS_PER_MS).cycle());
        assertThat(failover.verdict().warnings()).containsExactly(
            "cycle 2: the outage of 502 ms exceeds the 500 ms expected (one election)");
        assertThat(failover.verdict().isGood()).isTrue();
    }

    @Test
    void shouldWarnOfAnElectionThatTheFaultDoesNotExplain()
    {
        failover.cycles.add(new CycleBuilder(1).with("expectation", Expectation.LEADER_STAYS).cycle());
        assertThat(failover.verdict().warnings()).singleElement().asString()
            .startsWith("cycle 1: a leader was elected, though the fault left the leader a quorum");
        assertThat(failover.verdict().isGood()).isTrue();
    }

    @Test
    void shouldWarnOfAVictimThatLeadsAgain()
    {
        failover.cycles.add(ledAgain(1).with("outageNs", BOUND_NS / 2).with("victimReturnedNs", 0L).cycle());
        assertThat(failover.verdict().warnings()).containsExactly(
            "cycle 1: the leader returned 0.00 ns after the fault, before the others elected another, and leads again: the " +
            "outage of 250 ms is that of a restart, not of a failover; return it later (--return-after) or shorten the " +
            "timeouts (--timeouts)");
        assertThat(failover.verdict().isGood()).isTrue();

        // One warning is enough, though the outage is long too.
        failover.cycles.set(0, ledAgain(1).with("outageNs", 2 * BOUND_NS).cycle());
        assertThat(failover.verdict().warnings()).singleElement().asString()
            .startsWith("cycle 1: the leader returned before the others elected another")
            .contains("the outage of 1.00 s is that of a restart");
    }

    @Test
    void shouldNotJudgeTheOutageOfACycleWithoutAnExpectationOrThatWasInterrupted()
    {
        failover.cycles.add(new CycleBuilder(1).with("outageNs", 2 * BOUND_NS).with("expectedOutageNs", null).cycle());
        failover.cycles.add(new CycleBuilder(3).with("outageNs", 2 * BOUND_NS).with("interrupted", true).cycle());
        failover.cycles.add(ledAgain(4).with("outageNs", 2 * BOUND_NS).with("interrupted", true).cycle());
        assertThat(failover.verdict().warnings()).isEmpty();
        assertThat(failover.verdict().isGood()).isTrue();
    }

    @Test
    void shouldNameWhatTheFaultsDidBeforeWhatTheLoadDid()
    {
        failover.problems = List.of("a worker was lost");
        failover.cycles.add(new CycleBuilder(1).with("problem", "no new leader").cycle());
        failover.corrupt = 1;
        assertThat(failover.verdict().reasons())
            .containsExactly("a worker was lost", "cycle 1: no new leader", "1 corrupt replies");
    }

    private static CycleBuilder ledAgain(final int number)
    {
        return new CycleBuilder(number).with("effect", Cycle.Effect.SILENCES).with("leaderAfter", 0);
    }
}
