-- What was looked for in it is found in webhook_attempt_answer.
drop index webhook_attempt_failed;
