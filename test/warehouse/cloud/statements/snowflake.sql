-- A load into a namespace that does not exist

select 1 as one;

select table_name, column_name, data_type, character_maximum_length, numeric_scale from "EVENTS".information_schema.columns
  where table_schema = ? order by table_name, ordinal_position;
-- parameter 1: SHOP

create schema if not exists "EVENTS"."SHOP";

create table if not exists "EVENTS"."SHOP"."SLUICE_LOADS" (id varchar, state varchar, attempt varchar, destination_id varchar, loaded_at timestamp_tz, row_count number(38,0));

create table if not exists "EVENTS"."SHOP"."SLUICE_STAGED" (attempt varchar, part number(38,0), staged_at timestamp_tz, data variant);

merge into "EVENTS"."SHOP"."SLUICE_LOADS" l
  using (select '' as id) s
  on l.id = s.id
  when not matched then insert (id, state)
  values (s.id, 'turn');

create table if not exists "EVENTS"."SHOP"."TRACKS" ("UUID_TS" timestamp_tz, "ID" varchar, "RECEIVED_AT" timestamp_tz, "USER_ID" varchar, "ANONYMOUS_ID" varchar, "TOTAL" number(38,0));

create table if not exists "EVENTS"."SHOP"."IDENTIFIES" ("UUID_TS" timestamp_tz, "ID" varchar, "USER_ID" varchar, "ANONYMOUS_ID" varchar, "TRAITS" variant);

create table if not exists "EVENTS"."SHOP"."USERS" ("UUID_TS" timestamp_tz, "ID" varchar, "RECEIVED_AT" timestamp_tz, "VIP" boolean);

select table_name, column_name, data_type, character_maximum_length, numeric_scale from "EVENTS".information_schema.columns
  where table_schema = ? order by table_name, ordinal_position;
-- parameter 1: SHOP

select state, attempt from "EVENTS"."SHOP"."SLUICE_LOADS"
  where id = ?;
-- parameter 1: load-1

insert into "EVENTS"."SHOP"."SLUICE_STAGED" (attempt, part, staged_at, data)
  select 'attempt-1', 0, current_timestamp(), e.data from (select value as data from table(flatten(input => parse_json(?)))) e;
-- parameter 1: [["load-1","warehouse","3"]]

insert into "EVENTS"."SHOP"."SLUICE_STAGED" (attempt, part, staged_at, data)
  select 'attempt-1', 1, current_timestamp(), e.data from (select value as data from table(flatten(input => parse_json(?)))) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m1","2026-01-02T03:00:00.000Z","u1","a1","5"]]

insert into "EVENTS"."SHOP"."SLUICE_STAGED" (attempt, part, staged_at, data)
  select 'attempt-1', 2, current_timestamp(), e.data from (select value as data from table(flatten(input => parse_json(?)))) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m2","u1","a1","{\"a\":1}"]]

insert into "EVENTS"."SHOP"."SLUICE_STAGED" (attempt, part, staged_at, data)
  select 'attempt-1', 3, current_timestamp(), e.data from (select value as data from table(flatten(input => parse_json(?)))) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","u1","2026-01-02T03:00:00.000Z","true"]]

begin;
update "EVENTS"."SHOP"."SLUICE_LOADS" set loaded_at = current_timestamp()
  where id = '';
merge into "EVENTS"."SHOP"."SLUICE_LOADS" l
  using (select data[0]::varchar as id, data[1]::varchar as destination_id, cast(data[2]::varchar as number(38,0)) as row_count from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-1' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'loaded', 'attempt-1', s.destination_id, current_timestamp(), s.row_count);
merge into "EVENTS"."SHOP"."TRACKS" t
  using (select cast(data[0]::varchar as timestamp_tz) as "UUID_TS", data[1]::varchar as "ID", cast(data[2]::varchar as timestamp_tz) as "RECEIVED_AT", data[3]::varchar as "USER_ID", data[4]::varchar as "ANONYMOUS_ID", cast(data[5]::varchar as number(38,0)) as "TOTAL" from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-1' and part = 1 and exists (select 1 from "EVENTS"."SHOP"."SLUICE_LOADS" l
  where l.attempt = 'attempt-1')) s
  on t."ID" = s."ID" and t."RECEIVED_AT" >= cast('2025-12-26T03:04:05.000Z' as timestamp_tz)
  when matched then update set "UUID_TS" = s."UUID_TS", "RECEIVED_AT" = s."RECEIVED_AT", "USER_ID" = s."USER_ID", "ANONYMOUS_ID" = s."ANONYMOUS_ID", "TOTAL" = s."TOTAL"
  when not matched then insert ("UUID_TS", "ID", "RECEIVED_AT", "USER_ID", "ANONYMOUS_ID", "TOTAL")
  values (s."UUID_TS", s."ID", s."RECEIVED_AT", s."USER_ID", s."ANONYMOUS_ID", s."TOTAL");
merge into "EVENTS"."SHOP"."IDENTIFIES" t
  using (select cast(data[0]::varchar as timestamp_tz) as "UUID_TS", data[1]::varchar as "ID", data[2]::varchar as "USER_ID", data[3]::varchar as "ANONYMOUS_ID", parse_json(data[4]::varchar) as "TRAITS" from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-1' and part = 2 and exists (select 1 from "EVENTS"."SHOP"."SLUICE_LOADS" l
  where l.attempt = 'attempt-1')) s
  on t."ID" = s."ID"
  when matched then update set "UUID_TS" = s."UUID_TS", "USER_ID" = s."USER_ID", "ANONYMOUS_ID" = s."ANONYMOUS_ID", "TRAITS" = s."TRAITS"
  when not matched then insert ("UUID_TS", "ID", "USER_ID", "ANONYMOUS_ID", "TRAITS")
  values (s."UUID_TS", s."ID", s."USER_ID", s."ANONYMOUS_ID", s."TRAITS");
merge into "EVENTS"."SHOP"."USERS" t
  using (select cast(data[0]::varchar as timestamp_tz) as "UUID_TS", data[1]::varchar as "ID", cast(data[2]::varchar as timestamp_tz) as "RECEIVED_AT", cast(data[3]::varchar as boolean) as "VIP" from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-1' and part = 3 and exists (select 1 from "EVENTS"."SHOP"."SLUICE_LOADS" l
  where l.attempt = 'attempt-1')) s
  on t."ID" = s."ID"
  when matched then update set "UUID_TS" = case when s."RECEIVED_AT" < t."RECEIVED_AT" then coalesce(t."UUID_TS", s."UUID_TS") else coalesce(s."UUID_TS", t."UUID_TS") end, "RECEIVED_AT" = case when s."RECEIVED_AT" < t."RECEIVED_AT" then coalesce(t."RECEIVED_AT", s."RECEIVED_AT") else coalesce(s."RECEIVED_AT", t."RECEIVED_AT") end, "VIP" = case when s."RECEIVED_AT" < t."RECEIVED_AT" then coalesce(t."VIP", s."VIP") else coalesce(s."VIP", t."VIP") end
  when not matched then insert ("UUID_TS", "ID", "RECEIVED_AT", "VIP")
  values (s."UUID_TS", s."ID", s."RECEIVED_AT", s."VIP");
commit;

select state, attempt from "EVENTS"."SHOP"."SLUICE_LOADS"
  where id = ?;
-- parameter 1: load-1

delete from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-1' or staged_at < dateadd(day, -1, current_timestamp());

-- A load with a new column, and a value that does not fit

select 1 as one;

select table_name, column_name, data_type, character_maximum_length, numeric_scale from "EVENTS".information_schema.columns
  where table_schema = ? order by table_name, ordinal_position;
-- parameter 1: SHOP

create table if not exists "EVENTS"."SHOP"."RUDDER_DISCARDS" ("ROW_ID" varchar, "TABLE_NAME" varchar, "COLUMN_NAME" varchar, "COLUMN_VALUE" varchar, "REASON" varchar, "RECEIVED_AT" timestamp_tz, "UUID_TS" timestamp_tz);

select table_name, column_name, data_type, character_maximum_length, numeric_scale from "EVENTS".information_schema.columns
  where table_schema = ? order by table_name, ordinal_position;
-- parameter 1: SHOP

alter table "EVENTS"."SHOP"."TRACKS" add column "RATE" double precision;

select state, attempt from "EVENTS"."SHOP"."SLUICE_LOADS"
  where id = ?;
-- parameter 1: load-2

insert into "EVENTS"."SHOP"."SLUICE_STAGED" (attempt, part, staged_at, data)
  select 'attempt-2', 0, current_timestamp(), e.data from (select value as data from table(flatten(input => parse_json(?)))) e;
-- parameter 1: [["load-2","warehouse","2"]]

insert into "EVENTS"."SHOP"."SLUICE_STAGED" (attempt, part, staged_at, data)
  select 'attempt-2', 1, current_timestamp(), e.data from (select value as data from table(flatten(input => parse_json(?)))) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m3",null,"0.5"]]

insert into "EVENTS"."SHOP"."SLUICE_STAGED" (attempt, part, staged_at, data)
  select 'attempt-2', 2, current_timestamp(), e.data from (select value as data from table(flatten(input => parse_json(?)))) e;
-- parameter 1: [["m3","TRACKS","TOTAL","many","a value of type string does not fit the column of type NUMBER",null,"2026-01-02T03:04:05.000Z"]]

begin;
update "EVENTS"."SHOP"."SLUICE_LOADS" set loaded_at = current_timestamp()
  where id = '';
merge into "EVENTS"."SHOP"."SLUICE_LOADS" l
  using (select data[0]::varchar as id, data[1]::varchar as destination_id, cast(data[2]::varchar as number(38,0)) as row_count from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-2' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'loaded', 'attempt-2', s.destination_id, current_timestamp(), s.row_count);
merge into "EVENTS"."SHOP"."TRACKS" t
  using (select cast(data[0]::varchar as timestamp_tz) as "UUID_TS", data[1]::varchar as "ID", cast(data[2]::varchar as number(38,0)) as "TOTAL", cast(data[3]::varchar as double precision) as "RATE" from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-2' and part = 1 and exists (select 1 from "EVENTS"."SHOP"."SLUICE_LOADS" l
  where l.attempt = 'attempt-2')) s
  on t."ID" = s."ID"
  when matched then update set "UUID_TS" = s."UUID_TS", "TOTAL" = s."TOTAL", "RATE" = s."RATE"
  when not matched then insert ("UUID_TS", "ID", "TOTAL", "RATE")
  values (s."UUID_TS", s."ID", s."TOTAL", s."RATE");
insert into "EVENTS"."SHOP"."RUDDER_DISCARDS" ("ROW_ID", "TABLE_NAME", "COLUMN_NAME", "COLUMN_VALUE", "REASON", "RECEIVED_AT", "UUID_TS")
  select data[0]::varchar, data[1]::varchar, data[2]::varchar, data[3]::varchar, data[4]::varchar, cast(data[5]::varchar as timestamp_tz), cast(data[6]::varchar as timestamp_tz) from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-2' and part = 2 and exists (select 1 from "EVENTS"."SHOP"."SLUICE_LOADS" l
  where l.attempt = 'attempt-2');
commit;

select state, attempt from "EVENTS"."SHOP"."SLUICE_LOADS"
  where id = ?;
-- parameter 1: load-2

delete from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-2' or staged_at < dateadd(day, -1, current_timestamp());

-- A load that only adds rows

select 1 as one;

select table_name, column_name, data_type, character_maximum_length, numeric_scale from "EVENTS".information_schema.columns
  where table_schema = ? order by table_name, ordinal_position;
-- parameter 1: SHOP

select state, attempt from "EVENTS"."SHOP"."SLUICE_LOADS"
  where id = ?;
-- parameter 1: load-3

insert into "EVENTS"."SHOP"."SLUICE_STAGED" (attempt, part, staged_at, data)
  select 'attempt-3', 0, current_timestamp(), e.data from (select value as data from table(flatten(input => parse_json(?)))) e;
-- parameter 1: [["load-3","warehouse","1"]]

insert into "EVENTS"."SHOP"."SLUICE_STAGED" (attempt, part, staged_at, data)
  select 'attempt-3', 1, current_timestamp(), e.data from (select value as data from table(flatten(input => parse_json(?)))) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m4"]]

begin;
update "EVENTS"."SHOP"."SLUICE_LOADS" set loaded_at = current_timestamp()
  where id = '';
merge into "EVENTS"."SHOP"."SLUICE_LOADS" l
  using (select data[0]::varchar as id, data[1]::varchar as destination_id, cast(data[2]::varchar as number(38,0)) as row_count from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-3' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'loaded', 'attempt-3', s.destination_id, current_timestamp(), s.row_count);
insert into "EVENTS"."SHOP"."TRACKS" ("UUID_TS", "ID")
  select cast(data[0]::varchar as timestamp_tz), data[1]::varchar from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-3' and part = 1 and exists (select 1 from "EVENTS"."SHOP"."SLUICE_LOADS" l
  where l.attempt = 'attempt-3');
commit;

select state, attempt from "EVENTS"."SHOP"."SLUICE_LOADS"
  where id = ?;
-- parameter 1: load-3

delete from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-3' or staged_at < dateadd(day, -1, current_timestamp());

-- A load whose end is not known is settled

select 1 as one;

select table_name, column_name, data_type, character_maximum_length, numeric_scale from "EVENTS".information_schema.columns
  where table_schema = ? order by table_name, ordinal_position;
-- parameter 1: SHOP

select state, attempt from "EVENTS"."SHOP"."SLUICE_LOADS"
  where id = ?;
-- parameter 1: load-4

insert into "EVENTS"."SHOP"."SLUICE_STAGED" (attempt, part, staged_at, data)
  select 'attempt-4', 0, current_timestamp(), e.data from (select value as data from table(flatten(input => parse_json(?)))) e;
-- parameter 1: [["load-4",null,null]]

begin;
update "EVENTS"."SHOP"."SLUICE_LOADS" set loaded_at = current_timestamp()
  where id = '';
merge into "EVENTS"."SHOP"."SLUICE_LOADS" l
  using (select data[0]::varchar as id, data[1]::varchar as destination_id, cast(data[2]::varchar as number(38,0)) as row_count from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-4' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'void', 'attempt-4', s.destination_id, current_timestamp(), s.row_count);
commit;

select state, attempt from "EVENTS"."SHOP"."SLUICE_LOADS"
  where id = ?;
-- parameter 1: load-4

delete from "EVENTS"."SHOP"."SLUICE_STAGED"
  where attempt = 'attempt-4' or staged_at < dateadd(day, -1, current_timestamp());

-- Rows of users are deleted

select 1 as one;

select table_name, column_name, data_type, character_maximum_length, numeric_scale from "EVENTS".information_schema.columns
  where table_schema = ? order by table_name, ordinal_position;
-- parameter 1: SHOP

select collate(to_varchar("TABLE_NAME"), '') as k, collate(to_varchar("COLUMN_NAME"), '') as v from "EVENTS"."SHOP"."RUDDER_DISCARDS" group by 1, 2;

select collate(to_varchar("USER_ID"), '') as k, count(*) as n from "EVENTS"."SHOP"."IDENTIFIES"
  where (collate(to_varchar("USER_ID"), '') in (?, ?) or (regexp_instr(to_varchar("USER_ID"), '[^ -~]|^ | $') > 0 and regexp_replace(to_varchar("USER_ID"), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select collate(to_varchar("USER_ID"), '') as k, collate(to_varchar("ANONYMOUS_ID"), '') as v from "EVENTS"."SHOP"."IDENTIFIES"
  where collate(to_varchar("USER_ID"), '') in (?) and "ANONYMOUS_ID" is not null group by 1, 2 order by 2, 1 limit 5000;
-- parameter 1: u1

select collate(to_varchar("USER_ID"), '') as k, count(*) as n from "EVENTS"."SHOP"."TRACKS"
  where (collate(to_varchar("USER_ID"), '') in (?) or (regexp_instr(to_varchar("USER_ID"), '[^ -~]|^ | $') > 0 and regexp_replace(to_varchar("USER_ID"), '[^0-9@._-]', '') in (''))) group by 1 order by 1 limit 5000;
-- parameter 1: 

select collate(to_varchar("ANONYMOUS_ID"), '') as k, count(*) as n from "EVENTS"."SHOP"."TRACKS"
  where (collate(to_varchar("ANONYMOUS_ID"), '') in (?) or (regexp_instr(to_varchar("ANONYMOUS_ID"), '[^ -~]|^ | $') > 0 and regexp_replace(to_varchar("ANONYMOUS_ID"), '[^0-9@._-]', '') in ('1'))) and ("USER_ID" is null) group by 1 order by 1 limit 5000;
-- parameter 1: a1

select collate(to_varchar("USER_ID"), '') as k, count(*) as n from "EVENTS"."SHOP"."IDENTIFIES"
  where (collate(to_varchar("USER_ID"), '') in (?) or (regexp_instr(to_varchar("USER_ID"), '[^ -~]|^ | $') > 0 and regexp_replace(to_varchar("USER_ID"), '[^0-9@._-]', '') in (''))) group by 1 order by 1 limit 5000;
-- parameter 1: 

select collate(to_varchar("ANONYMOUS_ID"), '') as k, count(*) as n from "EVENTS"."SHOP"."IDENTIFIES"
  where (collate(to_varchar("ANONYMOUS_ID"), '') in (?) or (regexp_instr(to_varchar("ANONYMOUS_ID"), '[^ -~]|^ | $') > 0 and regexp_replace(to_varchar("ANONYMOUS_ID"), '[^0-9@._-]', '') in ('1'))) and ("USER_ID" is null) group by 1 order by 1 limit 5000;
-- parameter 1: a1

select collate(to_varchar("USER_ID"), '') as k, count(*) as n from "EVENTS"."SHOP"."TRACKS"
  where (collate(to_varchar("USER_ID"), '') in (?, ?) or (regexp_instr(to_varchar("USER_ID"), '[^ -~]|^ | $') > 0 and regexp_replace(to_varchar("USER_ID"), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from "EVENTS"."SHOP"."RUDDER_DISCARDS"
  where collate(to_varchar("TABLE_NAME"), '') = ? and collate(to_varchar("ROW_ID"), '') <> '' and collate(to_varchar("ROW_ID"), '') in (select collate(to_varchar("ID"), '') from "EVENTS"."SHOP"."TRACKS"
  where collate(to_varchar("USER_ID"), '') in (?));
-- parameter 1: TRACKS
-- parameter 2: u1

delete from "EVENTS"."SHOP"."TRACKS"
  where collate(to_varchar("USER_ID"), '') in (?);
-- parameter 1: u1

select collate(to_varchar("ANONYMOUS_ID"), '') as k, count(*) as n from "EVENTS"."SHOP"."TRACKS"
  where (collate(to_varchar("ANONYMOUS_ID"), '') in (?, ?) or (regexp_instr(to_varchar("ANONYMOUS_ID"), '[^ -~]|^ | $') > 0 and regexp_replace(to_varchar("ANONYMOUS_ID"), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select collate(to_varchar("ID"), '') as k, count(*) as n from "EVENTS"."SHOP"."USERS"
  where (collate(to_varchar("ID"), '') in (?, ?) or (regexp_instr(to_varchar("ID"), '[^ -~]|^ | $') > 0 and regexp_replace(to_varchar("ID"), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from "EVENTS"."SHOP"."RUDDER_DISCARDS"
  where collate(to_varchar("TABLE_NAME"), '') = ? and collate(to_varchar("ROW_ID"), '') <> '' and collate(to_varchar("ROW_ID"), '') in (select collate(to_varchar("ID"), '') from "EVENTS"."SHOP"."USERS"
  where collate(to_varchar("ID"), '') in (?));
-- parameter 1: USERS
-- parameter 2: u1

delete from "EVENTS"."SHOP"."USERS"
  where collate(to_varchar("ID"), '') in (?);
-- parameter 1: u1

select collate(to_varchar("USER_ID"), '') as k, count(*) as n from "EVENTS"."SHOP"."IDENTIFIES"
  where (collate(to_varchar("USER_ID"), '') in (?, ?) or (regexp_instr(to_varchar("USER_ID"), '[^ -~]|^ | $') > 0 and regexp_replace(to_varchar("USER_ID"), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from "EVENTS"."SHOP"."RUDDER_DISCARDS"
  where collate(to_varchar("TABLE_NAME"), '') = ? and collate(to_varchar("ROW_ID"), '') <> '' and collate(to_varchar("ROW_ID"), '') in (select collate(to_varchar("ID"), '') from "EVENTS"."SHOP"."IDENTIFIES"
  where collate(to_varchar("USER_ID"), '') in (?));
-- parameter 1: IDENTIFIES
-- parameter 2: u1

delete from "EVENTS"."SHOP"."IDENTIFIES"
  where collate(to_varchar("USER_ID"), '') in (?);
-- parameter 1: u1

select collate(to_varchar("ANONYMOUS_ID"), '') as k, count(*) as n from "EVENTS"."SHOP"."IDENTIFIES"
  where (collate(to_varchar("ANONYMOUS_ID"), '') in (?, ?) or (regexp_instr(to_varchar("ANONYMOUS_ID"), '[^ -~]|^ | $') > 0 and regexp_replace(to_varchar("ANONYMOUS_ID"), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select collate(to_varchar("ROW_ID"), '') as k, count(*) as n from "EVENTS"."SHOP"."RUDDER_DISCARDS"
  where (collate(to_varchar("ROW_ID"), '') in (?, ?) or (regexp_instr(to_varchar("ROW_ID"), '[^ -~]|^ | $') > 0 and regexp_replace(to_varchar("ROW_ID"), '[^0-9@._-]', '') in ('1', '2'))) and collate(to_varchar("TABLE_NAME"), '') = ? group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2
-- parameter 3: USERS
