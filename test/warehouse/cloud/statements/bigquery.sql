-- A load into a namespace that does not exist

select 1 as one;

select table_name, column_name, data_type from `my-project`.`region-eu`.INFORMATION_SCHEMA.COLUMNS
  where table_schema = @p1 order by table_name, ordinal_position;
-- parameter 1: shop

create schema if not exists `my-project`.`shop` options (location = 'EU');

create table if not exists `my-project`.`shop`.`sluice_loads` (id string, state string, attempt string, destination_id string, loaded_at timestamp, row_count int64);

create table if not exists `my-project`.`shop`.`sluice_staged` (attempt string, part int64, staged_at timestamp, data string);

merge into `my-project`.`shop`.`sluice_loads` l
  using (select '' as id) s
  on l.id = s.id
  when not matched then insert (id, state)
  values (s.id, 'turn');

create table if not exists `my-project`.`shop`.`tracks` (`uuid_ts` timestamp, `id` string, `received_at` timestamp, `user_id` string, `anonymous_id` string, `total` int64) partition by timestamp_trunc(`received_at`, day);

create table if not exists `my-project`.`shop`.`identifies` (`uuid_ts` timestamp, `id` string, `user_id` string, `anonymous_id` string, `traits` string);

create table if not exists `my-project`.`shop`.`users` (`uuid_ts` timestamp, `id` string, `received_at` timestamp, `vip` bool) partition by timestamp_trunc(`received_at`, day);

select table_name, column_name, data_type from `my-project`.`region-eu`.INFORMATION_SCHEMA.COLUMNS
  where table_schema = @p1 order by table_name, ordinal_position;
-- parameter 1: shop

select state, attempt from `my-project`.`shop`.`sluice_loads`
  where id = @p1;
-- parameter 1: load-1

insert into `my-project`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-1', 0, current_timestamp(), e.data from (select data from unnest(json_query_array(@p1)) as data) e;
-- parameter 1: [["load-1","warehouse","3"]]

insert into `my-project`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-1', 1, current_timestamp(), e.data from (select data from unnest(json_query_array(@p1)) as data) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m1","2026-01-02T03:00:00.000Z","u1","a1","5"]]

insert into `my-project`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-1', 2, current_timestamp(), e.data from (select data from unnest(json_query_array(@p1)) as data) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m2","u1","a1","{\"a\":1}"]]

insert into `my-project`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-1', 3, current_timestamp(), e.data from (select data from unnest(json_query_array(@p1)) as data) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","u1","2026-01-02T03:00:00.000Z","true"]]

begin transaction;
update `my-project`.`shop`.`sluice_loads` set loaded_at = current_timestamp()
  where id = '';
merge into `my-project`.`shop`.`sluice_loads` l
  using (select json_value(data, '$[0]') as id, json_value(data, '$[1]') as destination_id, cast(json_value(data, '$[2]') as int64) as row_count from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-1' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'loaded', 'attempt-1', s.destination_id, current_timestamp(), s.row_count);
merge into `my-project`.`shop`.`tracks` t
  using (select cast(json_value(data, '$[0]') as timestamp) as `uuid_ts`, json_value(data, '$[1]') as `id`, cast(json_value(data, '$[2]') as timestamp) as `received_at`, json_value(data, '$[3]') as `user_id`, json_value(data, '$[4]') as `anonymous_id`, cast(json_value(data, '$[5]') as int64) as `total` from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-1' and part = 1 and exists (select 1 from `my-project`.`shop`.`sluice_loads` l
  where l.attempt = 'attempt-1')) s
  on t.`id` = s.`id` and t.`received_at` >= cast('2025-12-26T03:04:05.000Z' as timestamp)
  when matched then update set `uuid_ts` = s.`uuid_ts`, `received_at` = s.`received_at`, `user_id` = s.`user_id`, `anonymous_id` = s.`anonymous_id`, `total` = s.`total`
  when not matched then insert (`uuid_ts`, `id`, `received_at`, `user_id`, `anonymous_id`, `total`)
  values (s.`uuid_ts`, s.`id`, s.`received_at`, s.`user_id`, s.`anonymous_id`, s.`total`);
merge into `my-project`.`shop`.`identifies` t
  using (select cast(json_value(data, '$[0]') as timestamp) as `uuid_ts`, json_value(data, '$[1]') as `id`, json_value(data, '$[2]') as `user_id`, json_value(data, '$[3]') as `anonymous_id`, cast(json_value(data, '$[4]') as string) as `traits` from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-1' and part = 2 and exists (select 1 from `my-project`.`shop`.`sluice_loads` l
  where l.attempt = 'attempt-1')) s
  on t.`id` = s.`id`
  when matched then update set `uuid_ts` = s.`uuid_ts`, `user_id` = s.`user_id`, `anonymous_id` = s.`anonymous_id`, `traits` = s.`traits`
  when not matched then insert (`uuid_ts`, `id`, `user_id`, `anonymous_id`, `traits`)
  values (s.`uuid_ts`, s.`id`, s.`user_id`, s.`anonymous_id`, s.`traits`);
merge into `my-project`.`shop`.`users` t
  using (select cast(json_value(data, '$[0]') as timestamp) as `uuid_ts`, json_value(data, '$[1]') as `id`, cast(json_value(data, '$[2]') as timestamp) as `received_at`, cast(json_value(data, '$[3]') as bool) as `vip` from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-1' and part = 3 and exists (select 1 from `my-project`.`shop`.`sluice_loads` l
  where l.attempt = 'attempt-1')) s
  on t.`id` = s.`id`
  when matched then update set `uuid_ts` = case when s.`received_at` < t.`received_at` then coalesce(t.`uuid_ts`, s.`uuid_ts`) else coalesce(s.`uuid_ts`, t.`uuid_ts`) end, `received_at` = case when s.`received_at` < t.`received_at` then coalesce(t.`received_at`, s.`received_at`) else coalesce(s.`received_at`, t.`received_at`) end, `vip` = case when s.`received_at` < t.`received_at` then coalesce(t.`vip`, s.`vip`) else coalesce(s.`vip`, t.`vip`) end
  when not matched then insert (`uuid_ts`, `id`, `received_at`, `vip`)
  values (s.`uuid_ts`, s.`id`, s.`received_at`, s.`vip`);
commit transaction;

select state, attempt from `my-project`.`shop`.`sluice_loads`
  where id = @p1;
-- parameter 1: load-1

delete from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-1' or staged_at < timestamp_sub(current_timestamp(), interval 1 day);

-- A load with a new column, and a value that does not fit

select 1 as one;

select table_name, column_name, data_type from `my-project`.`region-eu`.INFORMATION_SCHEMA.COLUMNS
  where table_schema = @p1 order by table_name, ordinal_position;
-- parameter 1: shop

create table if not exists `my-project`.`shop`.`rudder_discards` (`row_id` string, `table_name` string, `column_name` string, `column_value` string, `reason` string, `received_at` timestamp, `uuid_ts` timestamp) partition by timestamp_trunc(`received_at`, day);

select table_name, column_name, data_type from `my-project`.`region-eu`.INFORMATION_SCHEMA.COLUMNS
  where table_schema = @p1 order by table_name, ordinal_position;
-- parameter 1: shop

alter table `my-project`.`shop`.`tracks` add column `rate` float64;

select state, attempt from `my-project`.`shop`.`sluice_loads`
  where id = @p1;
-- parameter 1: load-2

insert into `my-project`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-2', 0, current_timestamp(), e.data from (select data from unnest(json_query_array(@p1)) as data) e;
-- parameter 1: [["load-2","warehouse","2"]]

insert into `my-project`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-2', 1, current_timestamp(), e.data from (select data from unnest(json_query_array(@p1)) as data) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m3",null,"0.5"]]

insert into `my-project`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-2', 2, current_timestamp(), e.data from (select data from unnest(json_query_array(@p1)) as data) e;
-- parameter 1: [["m3","tracks","total","many","a value of type string does not fit the column of type INT64",null,"2026-01-02T03:04:05.000Z"]]

begin transaction;
update `my-project`.`shop`.`sluice_loads` set loaded_at = current_timestamp()
  where id = '';
merge into `my-project`.`shop`.`sluice_loads` l
  using (select json_value(data, '$[0]') as id, json_value(data, '$[1]') as destination_id, cast(json_value(data, '$[2]') as int64) as row_count from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-2' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'loaded', 'attempt-2', s.destination_id, current_timestamp(), s.row_count);
merge into `my-project`.`shop`.`tracks` t
  using (select cast(json_value(data, '$[0]') as timestamp) as `uuid_ts`, json_value(data, '$[1]') as `id`, cast(json_value(data, '$[2]') as int64) as `total`, cast(json_value(data, '$[3]') as float64) as `rate` from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-2' and part = 1 and exists (select 1 from `my-project`.`shop`.`sluice_loads` l
  where l.attempt = 'attempt-2')) s
  on t.`id` = s.`id`
  when matched then update set `uuid_ts` = s.`uuid_ts`, `total` = s.`total`, `rate` = s.`rate`
  when not matched then insert (`uuid_ts`, `id`, `total`, `rate`)
  values (s.`uuid_ts`, s.`id`, s.`total`, s.`rate`);
insert into `my-project`.`shop`.`rudder_discards` (`row_id`, `table_name`, `column_name`, `column_value`, `reason`, `received_at`, `uuid_ts`)
  select json_value(data, '$[0]'), json_value(data, '$[1]'), json_value(data, '$[2]'), json_value(data, '$[3]'), json_value(data, '$[4]'), cast(json_value(data, '$[5]') as timestamp), cast(json_value(data, '$[6]') as timestamp) from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-2' and part = 2 and exists (select 1 from `my-project`.`shop`.`sluice_loads` l
  where l.attempt = 'attempt-2');
commit transaction;

select state, attempt from `my-project`.`shop`.`sluice_loads`
  where id = @p1;
-- parameter 1: load-2

delete from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-2' or staged_at < timestamp_sub(current_timestamp(), interval 1 day);

-- A load that only adds rows

select 1 as one;

select table_name, column_name, data_type from `my-project`.`region-eu`.INFORMATION_SCHEMA.COLUMNS
  where table_schema = @p1 order by table_name, ordinal_position;
-- parameter 1: shop

select state, attempt from `my-project`.`shop`.`sluice_loads`
  where id = @p1;
-- parameter 1: load-3

insert into `my-project`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-3', 0, current_timestamp(), e.data from (select data from unnest(json_query_array(@p1)) as data) e;
-- parameter 1: [["load-3","warehouse","1"]]

insert into `my-project`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-3', 1, current_timestamp(), e.data from (select data from unnest(json_query_array(@p1)) as data) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m4"]]

begin transaction;
update `my-project`.`shop`.`sluice_loads` set loaded_at = current_timestamp()
  where id = '';
merge into `my-project`.`shop`.`sluice_loads` l
  using (select json_value(data, '$[0]') as id, json_value(data, '$[1]') as destination_id, cast(json_value(data, '$[2]') as int64) as row_count from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-3' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'loaded', 'attempt-3', s.destination_id, current_timestamp(), s.row_count);
insert into `my-project`.`shop`.`tracks` (`uuid_ts`, `id`)
  select cast(json_value(data, '$[0]') as timestamp), json_value(data, '$[1]') from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-3' and part = 1 and exists (select 1 from `my-project`.`shop`.`sluice_loads` l
  where l.attempt = 'attempt-3');
commit transaction;

select state, attempt from `my-project`.`shop`.`sluice_loads`
  where id = @p1;
-- parameter 1: load-3

delete from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-3' or staged_at < timestamp_sub(current_timestamp(), interval 1 day);

-- A load whose end is not known is settled

select 1 as one;

select table_name, column_name, data_type from `my-project`.`region-eu`.INFORMATION_SCHEMA.COLUMNS
  where table_schema = @p1 order by table_name, ordinal_position;
-- parameter 1: shop

select state, attempt from `my-project`.`shop`.`sluice_loads`
  where id = @p1;
-- parameter 1: load-4

insert into `my-project`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-4', 0, current_timestamp(), e.data from (select data from unnest(json_query_array(@p1)) as data) e;
-- parameter 1: [["load-4",null,null]]

begin transaction;
update `my-project`.`shop`.`sluice_loads` set loaded_at = current_timestamp()
  where id = '';
merge into `my-project`.`shop`.`sluice_loads` l
  using (select json_value(data, '$[0]') as id, json_value(data, '$[1]') as destination_id, cast(json_value(data, '$[2]') as int64) as row_count from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-4' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'void', 'attempt-4', s.destination_id, current_timestamp(), s.row_count);
commit transaction;

select state, attempt from `my-project`.`shop`.`sluice_loads`
  where id = @p1;
-- parameter 1: load-4

delete from `my-project`.`shop`.`sluice_staged`
  where attempt = 'attempt-4' or staged_at < timestamp_sub(current_timestamp(), interval 1 day);

-- Rows of users are deleted

select 1 as one;

select table_name, column_name, data_type from `my-project`.`region-eu`.INFORMATION_SCHEMA.COLUMNS
  where table_schema = @p1 order by table_name, ordinal_position;
-- parameter 1: shop

select collate(cast(`table_name` as string), '') as k, collate(cast(`column_name` as string), '') as v from `my-project`.`shop`.`rudder_discards` group by 1, 2;

select collate(cast(`user_id` as string), '') as k, count(*) as n from `my-project`.`shop`.`identifies`
  where (collate(cast(`user_id` as string), '') in (@p1, @p2) or (regexp_contains(cast(`user_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`user_id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select collate(cast(`user_id` as string), '') as k, collate(cast(`anonymous_id` as string), '') as v from `my-project`.`shop`.`identifies`
  where collate(cast(`user_id` as string), '') in (@p1) and `anonymous_id` is not null group by 1, 2 order by 2, 1 limit 5000;
-- parameter 1: u1

select collate(cast(`user_id` as string), '') as k, count(*) as n from `my-project`.`shop`.`tracks`
  where (collate(cast(`user_id` as string), '') in (@p1) or (regexp_contains(cast(`user_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`user_id` as string), '[^0-9@._-]', '') in (''))) group by 1 order by 1 limit 5000;
-- parameter 1: 

select collate(cast(`anonymous_id` as string), '') as k, count(*) as n from `my-project`.`shop`.`tracks`
  where (collate(cast(`anonymous_id` as string), '') in (@p1) or (regexp_contains(cast(`anonymous_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`anonymous_id` as string), '[^0-9@._-]', '') in ('1'))) and (`user_id` is null) group by 1 order by 1 limit 5000;
-- parameter 1: a1

select collate(cast(`user_id` as string), '') as k, count(*) as n from `my-project`.`shop`.`identifies`
  where (collate(cast(`user_id` as string), '') in (@p1) or (regexp_contains(cast(`user_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`user_id` as string), '[^0-9@._-]', '') in (''))) group by 1 order by 1 limit 5000;
-- parameter 1: 

select collate(cast(`anonymous_id` as string), '') as k, count(*) as n from `my-project`.`shop`.`identifies`
  where (collate(cast(`anonymous_id` as string), '') in (@p1) or (regexp_contains(cast(`anonymous_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`anonymous_id` as string), '[^0-9@._-]', '') in ('1'))) and (`user_id` is null) group by 1 order by 1 limit 5000;
-- parameter 1: a1

select collate(cast(`user_id` as string), '') as k, count(*) as n from `my-project`.`shop`.`tracks`
  where (collate(cast(`user_id` as string), '') in (@p1, @p2) or (regexp_contains(cast(`user_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`user_id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from `my-project`.`shop`.`rudder_discards`
  where collate(cast(`table_name` as string), '') = @p1 and collate(cast(`row_id` as string), '') <> '' and collate(cast(`row_id` as string), '') in (select collate(cast(`id` as string), '') from `my-project`.`shop`.`tracks`
  where collate(cast(`user_id` as string), '') in (@p2));
-- parameter 1: tracks
-- parameter 2: u1

delete from `my-project`.`shop`.`tracks`
  where collate(cast(`user_id` as string), '') in (@p1);
-- parameter 1: u1

select collate(cast(`anonymous_id` as string), '') as k, count(*) as n from `my-project`.`shop`.`tracks`
  where (collate(cast(`anonymous_id` as string), '') in (@p1, @p2) or (regexp_contains(cast(`anonymous_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`anonymous_id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select collate(cast(`id` as string), '') as k, count(*) as n from `my-project`.`shop`.`users`
  where (collate(cast(`id` as string), '') in (@p1, @p2) or (regexp_contains(cast(`id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from `my-project`.`shop`.`rudder_discards`
  where collate(cast(`table_name` as string), '') = @p1 and collate(cast(`row_id` as string), '') <> '' and collate(cast(`row_id` as string), '') in (select collate(cast(`id` as string), '') from `my-project`.`shop`.`users`
  where collate(cast(`id` as string), '') in (@p2));
-- parameter 1: users
-- parameter 2: u1

delete from `my-project`.`shop`.`users`
  where collate(cast(`id` as string), '') in (@p1);
-- parameter 1: u1

select collate(cast(`user_id` as string), '') as k, count(*) as n from `my-project`.`shop`.`identifies`
  where (collate(cast(`user_id` as string), '') in (@p1, @p2) or (regexp_contains(cast(`user_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`user_id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from `my-project`.`shop`.`rudder_discards`
  where collate(cast(`table_name` as string), '') = @p1 and collate(cast(`row_id` as string), '') <> '' and collate(cast(`row_id` as string), '') in (select collate(cast(`id` as string), '') from `my-project`.`shop`.`identifies`
  where collate(cast(`user_id` as string), '') in (@p2));
-- parameter 1: identifies
-- parameter 2: u1

delete from `my-project`.`shop`.`identifies`
  where collate(cast(`user_id` as string), '') in (@p1);
-- parameter 1: u1

select collate(cast(`anonymous_id` as string), '') as k, count(*) as n from `my-project`.`shop`.`identifies`
  where (collate(cast(`anonymous_id` as string), '') in (@p1, @p2) or (regexp_contains(cast(`anonymous_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`anonymous_id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select collate(cast(`row_id` as string), '') as k, count(*) as n from `my-project`.`shop`.`rudder_discards`
  where (collate(cast(`row_id` as string), '') in (@p1, @p2) or (regexp_contains(cast(`row_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`row_id` as string), '[^0-9@._-]', '') in ('1', '2'))) and collate(cast(`table_name` as string), '') = @p3 group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2
-- parameter 3: users
