-- Whether the person had come to the invitation, or decided: then the organization knows that they had an account, and is told of
-- its deletion. null: it ended before this was kept, and counts as if they had.
alter table past_enrollment add column had_come boolean;
