-- A digest of the release that ended a run: a repeat is known by it, whatever part of the release another one changes.
-- Null where the run ended otherwise, or under a replica of the version before.
alter table task_runs add column release_digest text;
