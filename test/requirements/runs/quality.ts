// Autonomous runs, sections 9 to 12: prompts, learnings, gates, evidence, failures, budgets, landing, travel.
import { requirements, type Requirement } from '../requirement.ts';

export const runQuality: Requirement[] = [
  ...requirements('runs-9', 'runs', {
    'runs-9.1': 'The prompt of implement has at most 60,000 characters; rules, story and criteria are never shortened.',
    'runs-9.2': 'Texts of people and agents stand in fences and are called data.',
    'runs-9.3': 'Every failed iteration leaves a failure learning of facts alone.',
    'runs-9.4':
      'What an agent appends to progress.txt becomes notes and patterns: cleaned, capped at 8 KiB, deduplicated.',
    'runs-9.5': 'progress.txt stands in the work place, has at most 64 KiB, and is not in the candidate.',
    'runs-9.6': 'A story is one commit with the trailers of its run, and a repeated step makes the same id.',
    'runs-9.7': 'No branch of the user is merged into unless merge.into names it and it can be fast-forwarded.',
    'runs-9.8':
      'Each failed iteration is recorded, one like the last too; the next prompt shows it in full, with the files that its diff touched.',
    'runs-9.9': 'Learnings and prompts lose control characters but tab and line feed, and direction marks.',
    'runs-9.10':
      'The agent model gets the text of AGENTS.md or CLAUDE.md, at most 16 KiB, behind its prompt of implement.',
    'runs-9.11':
      "With RALPH_COMMIT_PROGRESS=1 each story's commit has progress.txt as the service renders it, and nothing conflicts for it.",
    'runs-9.12': 'A merge that was asked for and not made is a warning that says how to merge by hand.',
  }),
  ...requirements('runs-10', 'runs', {
    'runs-10.1': 'Gates and set-up are detected at the base; declared ones win.',
    'runs-10.2': 'A criterion is tied to a gate or a check by the rules; everything else is for the judge.',
    'runs-10.3': 'Gates run in a clean checkout, confined, bounded in time, memory and output, and leave no process.',
    'runs-10.4':
      'A required gate that is red at the base asks baseline_red; without gate and judge the run fails with nothing_can_check.',
    'runs-10.5': 'What failed is run once more, and counts as passed and flaky if it passes then.',
    'runs-10.6': 'A changed script or runner configuration is gate_changed.',
    'runs-10.7': 'Changed tests are judged by the tests of the base: tests_changed, and the second time a question.',
    'runs-10.8': 'Fewer executed tests than at the base are fewer_tests.',
    'runs-10.9': 'Added skips and disabled checks are warnings, and reject with strict.',
    'runs-10.10': 'No change passes only where every criterion has green command evidence; else it is no_change.',
    'runs-10.11': 'Evidence has the fields of the list, with the commit that it holds for.',
    'runs-10.12': 'A pass of a judge counts only with a quote that stands in the file.',
    'runs-10.13': 'A red gate counts only on a worker where it was green at the base.',
    'runs-10.14': 'A check that passes before the work is vacuous.',
    'runs-10.15': 'An advisory gate decides nothing: neither its outcome nor its number of tests rejects.',
    'runs-10.16':
      'Added skips, accepted changes of tests and flaky commands of a story that passed are warnings of its run.',
  }),
  ...requirements('runs-11', 'runs', {
    'runs-11.1': 'Rejections and failures of the agent spend an iteration; infrastructure never does.',
    'runs-11.2': 'An infrastructure failure is tried three times, then asked.',
    'runs-11.3': 'model_unreachable waits 1, 5, 30, 120 minutes and asks after 24 hours.',
    'runs-11.4': 'rate_limited waits until its reset and a minute, in the same iteration.',
    'runs-11.5': 'A refused model or a missing agent asks agent_setup.',
    'runs-11.6': 'The same tree, the same failure or no change twice is diagnosed, then asked.',
    'runs-11.7': 'A reached budget starts nothing new and asks; 50, 80 and 100 percent are events.',
    'runs-11.8': 'A step without a price is counted as unpriced, and asks once where a budget in money is set.',
    'runs-11.9': 'After a conflict the next attempt knows the files of both diffs.',
  }),
  ...requirements('runs-12', 'runs', {
    'runs-12.1': 'Parallel stories start from the head of that moment, at most max_parallel at once.',
    'runs-12.2': 'One story of a run lands at a time, and is checked again on the merged tree when the head has moved.',
    'runs-12.3': 'Commits travel as thin bundles; a damaged one or one over the limit fails with its reason.',
    'runs-12.4': 'A repository without the base is base_missing, and another worker of the codebase gets the step.',
    'runs-12.5': 'A branch that a person moved or checked out is not touched: branch_moved.',
    'runs-12.6': 'The last publish leaves the bundle and the diff of the whole run.',
    'runs-12.7': 'A home worker that is offline for 10 minutes is replaced by another of the codebase.',
    'runs-12.9':
      "Evidence of commands is renewed on the landed commit; a judge's or a person's holds while the story's own patch is the same, else it is judged again.",
    'runs-12.10':
      'A run that continues on the commits of a person keeps one commit for each story, with its own trailers and evidence.',
    'runs-12.11':
      'A branch that could not be moved at the end of a run is tried again, on another worker where home is away, and is a warning then.',
    'runs-12.12':
      "A retry begins at the old head on any worker of the codebase: what a worker lacks comes with the old run's bundle.",
    'runs-12.8': 'Runs beyond RALPH_MAX_ACTIVE_RUNS stay pending with waiting_reason runs_at_limit.',
  }),
];
