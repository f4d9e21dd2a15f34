-- The role of the processes: it may read and write rows, and change no table but for the
-- partitions of the log, with functions of the owner. Run once, by the owner, before there are tables.
\getenv run_password RUN_PASSWORD
create role sluice_run login password :'run_password';
alter default privileges for role sluice_owner grant usage on schemas to sluice_run;
alter default privileges for role sluice_owner grant select, insert, update, delete, maintain on tables to sluice_run;
alter default privileges for role sluice_owner grant select, usage, update on sequences to sluice_run;
alter default privileges for role sluice_owner grant execute on functions to sluice_run;
