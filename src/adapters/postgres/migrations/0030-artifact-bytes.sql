-- How many bytes of artifacts a task has taken in all, those that later ones replaced too: each stays in its log. A row that
-- each report writes anyway carries the sum, for that of its artifacts' sizes would be counted anew with each report, and
-- forgets what was replaced. Tasks that were taken before this count from now on.
alter table tasks add column artifact_bytes bigint not null default 0;
