-- While a sender has a delivery, when its claim runs out. In no index, so that a claim is an update in place: due_at
-- is in the one that the sender looks through.
alter table deliveries add column claimed_until timestamptz;
-- Room for the version that a claim makes beside the one that it replaces.
alter table deliveries set (fillfactor = 50);
