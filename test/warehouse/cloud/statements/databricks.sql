-- A load into a namespace that does not exist

select 1 as one;

select table_name, column_name, full_data_type from `lake`.information_schema.columns
  where table_schema = :p1 order by table_name, ordinal_position;
-- parameter 1: shop

create schema if not exists `lake`.`shop`;

create table if not exists `lake`.`shop`.`sluice_loads` (id string, state string, attempt string, destination_id string, loaded_at timestamp, row_count bigint);

create table if not exists `lake`.`shop`.`sluice_staged` (attempt string, part bigint, staged_at timestamp, data string);

merge into `lake`.`shop`.`sluice_loads` l
  using (select '' as id) s
  on l.id = s.id
  when not matched then insert (id, state)
  values (s.id, 'turn');

create table if not exists `lake`.`shop`.`tracks` (`uuid_ts` timestamp, `id` string, `received_at` timestamp, `user_id` string, `anonymous_id` string, `total` bigint) using delta;

create table if not exists `lake`.`shop`.`identifies` (`uuid_ts` timestamp, `id` string, `user_id` string, `anonymous_id` string, `traits` string) using delta;

create table if not exists `lake`.`shop`.`users` (`uuid_ts` timestamp, `id` string, `received_at` timestamp, `vip` boolean) using delta;

select table_name, column_name, full_data_type from `lake`.information_schema.columns
  where table_schema = :p1 order by table_name, ordinal_position;
-- parameter 1: shop

select state, attempt from `lake`.`shop`.`sluice_loads`
  where id = :p1;
-- parameter 1: load-1

insert into `lake`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-1', 0, current_timestamp(), e.data from (select explode(from_json(:p1, 'array<string>')) as data) e;
-- parameter 1: [["load-1","warehouse","3"]]

insert into `lake`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-1', 1, current_timestamp(), e.data from (select explode(from_json(:p1, 'array<string>')) as data) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m1","2026-01-02T03:00:00.000Z","u1","a1","5"]]

insert into `lake`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-1', 2, current_timestamp(), e.data from (select explode(from_json(:p1, 'array<string>')) as data) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m2","u1","a1","{\"a\":1}"]]

insert into `lake`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-1', 3, current_timestamp(), e.data from (select explode(from_json(:p1, 'array<string>')) as data) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","u1","2026-01-02T03:00:00.000Z","true"]]

merge into `lake`.`shop`.`tracks` t
  using (select cast(get_json_object(data, '$[0]') as timestamp) as `uuid_ts`, get_json_object(data, '$[1]') as `id`, cast(get_json_object(data, '$[2]') as timestamp) as `received_at`, get_json_object(data, '$[3]') as `user_id`, get_json_object(data, '$[4]') as `anonymous_id`, cast(get_json_object(data, '$[5]') as bigint) as `total` from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-1' and part = 1) s
  on t.`id` = s.`id` and t.`received_at` >= cast('2025-12-26T03:04:05.000Z' as timestamp)
  when matched then update set `uuid_ts` = s.`uuid_ts`, `received_at` = s.`received_at`, `user_id` = s.`user_id`, `anonymous_id` = s.`anonymous_id`, `total` = s.`total`
  when not matched then insert (`uuid_ts`, `id`, `received_at`, `user_id`, `anonymous_id`, `total`)
  values (s.`uuid_ts`, s.`id`, s.`received_at`, s.`user_id`, s.`anonymous_id`, s.`total`);

merge into `lake`.`shop`.`identifies` t
  using (select cast(get_json_object(data, '$[0]') as timestamp) as `uuid_ts`, get_json_object(data, '$[1]') as `id`, get_json_object(data, '$[2]') as `user_id`, get_json_object(data, '$[3]') as `anonymous_id`, cast(get_json_object(data, '$[4]') as string) as `traits` from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-1' and part = 2) s
  on t.`id` = s.`id`
  when matched then update set `uuid_ts` = s.`uuid_ts`, `user_id` = s.`user_id`, `anonymous_id` = s.`anonymous_id`, `traits` = s.`traits`
  when not matched then insert (`uuid_ts`, `id`, `user_id`, `anonymous_id`, `traits`)
  values (s.`uuid_ts`, s.`id`, s.`user_id`, s.`anonymous_id`, s.`traits`);

merge into `lake`.`shop`.`users` t
  using (select cast(get_json_object(data, '$[0]') as timestamp) as `uuid_ts`, get_json_object(data, '$[1]') as `id`, cast(get_json_object(data, '$[2]') as timestamp) as `received_at`, cast(get_json_object(data, '$[3]') as boolean) as `vip` from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-1' and part = 3) s
  on t.`id` = s.`id`
  when matched then update set `uuid_ts` = case when s.`received_at` < t.`received_at` then coalesce(t.`uuid_ts`, s.`uuid_ts`) else coalesce(s.`uuid_ts`, t.`uuid_ts`) end, `received_at` = case when s.`received_at` < t.`received_at` then coalesce(t.`received_at`, s.`received_at`) else coalesce(s.`received_at`, t.`received_at`) end, `vip` = case when s.`received_at` < t.`received_at` then coalesce(t.`vip`, s.`vip`) else coalesce(s.`vip`, t.`vip`) end
  when not matched then insert (`uuid_ts`, `id`, `received_at`, `vip`)
  values (s.`uuid_ts`, s.`id`, s.`received_at`, s.`vip`);

merge into `lake`.`shop`.`sluice_loads` l
  using (select get_json_object(data, '$[0]') as id, get_json_object(data, '$[1]') as destination_id, cast(get_json_object(data, '$[2]') as bigint) as row_count from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-1' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'loaded', 'attempt-1', s.destination_id, current_timestamp(), s.row_count);

select state, attempt from `lake`.`shop`.`sluice_loads`
  where id = :p1;
-- parameter 1: load-1

delete from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-1' or staged_at < current_timestamp() - interval 1 day;

-- A load with a new column, and a value that does not fit

select 1 as one;

select table_name, column_name, full_data_type from `lake`.information_schema.columns
  where table_schema = :p1 order by table_name, ordinal_position;
-- parameter 1: shop

create table if not exists `lake`.`shop`.`rudder_discards` (`row_id` string, `table_name` string, `column_name` string, `column_value` string, `reason` string, `received_at` timestamp, `uuid_ts` timestamp) using delta;

select table_name, column_name, full_data_type from `lake`.information_schema.columns
  where table_schema = :p1 order by table_name, ordinal_position;
-- parameter 1: shop

alter table `lake`.`shop`.`tracks` add columns (`rate` double);

select state, attempt from `lake`.`shop`.`sluice_loads`
  where id = :p1;
-- parameter 1: load-2

insert into `lake`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-2', 0, current_timestamp(), e.data from (select explode(from_json(:p1, 'array<string>')) as data) e;
-- parameter 1: [["load-2","warehouse","2"]]

insert into `lake`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-2', 1, current_timestamp(), e.data from (select explode(from_json(:p1, 'array<string>')) as data) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m3",null,"0.5"]]

insert into `lake`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-2', 2, current_timestamp(), e.data from (select explode(from_json(:p1, 'array<string>')) as data) e;
-- parameter 1: [["m3","tracks","total","many","a value of type string does not fit the column of type bigint",null,"2026-01-02T03:04:05.000Z"]]

merge into `lake`.`shop`.`tracks` t
  using (select cast(get_json_object(data, '$[0]') as timestamp) as `uuid_ts`, get_json_object(data, '$[1]') as `id`, cast(get_json_object(data, '$[2]') as bigint) as `total`, cast(get_json_object(data, '$[3]') as double) as `rate` from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-2' and part = 1) s
  on t.`id` = s.`id`
  when matched then update set `uuid_ts` = s.`uuid_ts`, `total` = s.`total`, `rate` = s.`rate`
  when not matched then insert (`uuid_ts`, `id`, `total`, `rate`)
  values (s.`uuid_ts`, s.`id`, s.`total`, s.`rate`);

insert into `lake`.`shop`.`rudder_discards` (`row_id`, `table_name`, `column_name`, `column_value`, `reason`, `received_at`, `uuid_ts`)
  select get_json_object(data, '$[0]'), get_json_object(data, '$[1]'), get_json_object(data, '$[2]'), get_json_object(data, '$[3]'), get_json_object(data, '$[4]'), cast(get_json_object(data, '$[5]') as timestamp), cast(get_json_object(data, '$[6]') as timestamp) from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-2' and part = 2;

merge into `lake`.`shop`.`sluice_loads` l
  using (select get_json_object(data, '$[0]') as id, get_json_object(data, '$[1]') as destination_id, cast(get_json_object(data, '$[2]') as bigint) as row_count from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-2' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'loaded', 'attempt-2', s.destination_id, current_timestamp(), s.row_count);

select state, attempt from `lake`.`shop`.`sluice_loads`
  where id = :p1;
-- parameter 1: load-2

delete from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-2' or staged_at < current_timestamp() - interval 1 day;

-- A load that only adds rows

select 1 as one;

select table_name, column_name, full_data_type from `lake`.information_schema.columns
  where table_schema = :p1 order by table_name, ordinal_position;
-- parameter 1: shop

select state, attempt from `lake`.`shop`.`sluice_loads`
  where id = :p1;
-- parameter 1: load-3

insert into `lake`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-3', 0, current_timestamp(), e.data from (select explode(from_json(:p1, 'array<string>')) as data) e;
-- parameter 1: [["load-3","warehouse","1"]]

insert into `lake`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-3', 1, current_timestamp(), e.data from (select explode(from_json(:p1, 'array<string>')) as data) e;
-- parameter 1: [["2026-01-02T03:04:05.000Z","m4"]]

insert into `lake`.`shop`.`tracks` (`uuid_ts`, `id`)
  select cast(get_json_object(data, '$[0]') as timestamp), get_json_object(data, '$[1]') from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-3' and part = 1;

merge into `lake`.`shop`.`sluice_loads` l
  using (select get_json_object(data, '$[0]') as id, get_json_object(data, '$[1]') as destination_id, cast(get_json_object(data, '$[2]') as bigint) as row_count from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-3' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'loaded', 'attempt-3', s.destination_id, current_timestamp(), s.row_count);

select state, attempt from `lake`.`shop`.`sluice_loads`
  where id = :p1;
-- parameter 1: load-3

delete from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-3' or staged_at < current_timestamp() - interval 1 day;

-- A load whose end is not known is settled

select 1 as one;

select table_name, column_name, full_data_type from `lake`.information_schema.columns
  where table_schema = :p1 order by table_name, ordinal_position;
-- parameter 1: shop

select state, attempt from `lake`.`shop`.`sluice_loads`
  where id = :p1;
-- parameter 1: load-4

insert into `lake`.`shop`.`sluice_staged` (attempt, part, staged_at, data)
  select 'attempt-4', 0, current_timestamp(), e.data from (select explode(from_json(:p1, 'array<string>')) as data) e;
-- parameter 1: [["load-4",null,null]]

merge into `lake`.`shop`.`sluice_loads` l
  using (select get_json_object(data, '$[0]') as id, get_json_object(data, '$[1]') as destination_id, cast(get_json_object(data, '$[2]') as bigint) as row_count from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-4' and part = 0) s
  on l.id = s.id
  when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count)
  values (s.id, 'void', 'attempt-4', s.destination_id, current_timestamp(), s.row_count);

select state, attempt from `lake`.`shop`.`sluice_loads`
  where id = :p1;
-- parameter 1: load-4

delete from `lake`.`shop`.`sluice_staged`
  where attempt = 'attempt-4' or staged_at < current_timestamp() - interval 1 day;

-- Rows of users are deleted

select 1 as one;

select table_name, column_name, full_data_type from `lake`.information_schema.columns
  where table_schema = :p1 order by table_name, ordinal_position;
-- parameter 1: shop

select cast(`table_name` as string) as k, cast(`column_name` as string) as v from `lake`.`shop`.`rudder_discards` group by 1, 2;

select cast(`user_id` as string) as k, count(*) as n from `lake`.`shop`.`identifies`
  where (cast(`user_id` as string) in (:p1, :p2) or (regexp_like(cast(`user_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`user_id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select cast(`user_id` as string) as k, cast(`anonymous_id` as string) as v from `lake`.`shop`.`identifies`
  where cast(`user_id` as string) in (:p1) and `anonymous_id` is not null group by 1, 2 order by 2, 1 limit 5000;
-- parameter 1: u1

select cast(`user_id` as string) as k, count(*) as n from `lake`.`shop`.`tracks`
  where (cast(`user_id` as string) in (:p1) or (regexp_like(cast(`user_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`user_id` as string), '[^0-9@._-]', '') in (''))) group by 1 order by 1 limit 5000;
-- parameter 1: 

select cast(`anonymous_id` as string) as k, count(*) as n from `lake`.`shop`.`tracks`
  where (cast(`anonymous_id` as string) in (:p1) or (regexp_like(cast(`anonymous_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`anonymous_id` as string), '[^0-9@._-]', '') in ('1'))) and (`user_id` is null) group by 1 order by 1 limit 5000;
-- parameter 1: a1

select cast(`user_id` as string) as k, count(*) as n from `lake`.`shop`.`identifies`
  where (cast(`user_id` as string) in (:p1) or (regexp_like(cast(`user_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`user_id` as string), '[^0-9@._-]', '') in (''))) group by 1 order by 1 limit 5000;
-- parameter 1: 

select cast(`anonymous_id` as string) as k, count(*) as n from `lake`.`shop`.`identifies`
  where (cast(`anonymous_id` as string) in (:p1) or (regexp_like(cast(`anonymous_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`anonymous_id` as string), '[^0-9@._-]', '') in ('1'))) and (`user_id` is null) group by 1 order by 1 limit 5000;
-- parameter 1: a1

select cast(`user_id` as string) as k, count(*) as n from `lake`.`shop`.`tracks`
  where (cast(`user_id` as string) in (:p1, :p2) or (regexp_like(cast(`user_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`user_id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from `lake`.`shop`.`rudder_discards`
  where cast(`table_name` as string) = :p1 and cast(`row_id` as string) <> '' and cast(`row_id` as string) in (select cast(`id` as string) from `lake`.`shop`.`tracks`
  where cast(`user_id` as string) in (:p2));
-- parameter 1: tracks
-- parameter 2: u1

delete from `lake`.`shop`.`tracks`
  where cast(`user_id` as string) in (:p1);
-- parameter 1: u1

select cast(`anonymous_id` as string) as k, count(*) as n from `lake`.`shop`.`tracks`
  where (cast(`anonymous_id` as string) in (:p1, :p2) or (regexp_like(cast(`anonymous_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`anonymous_id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select cast(`id` as string) as k, count(*) as n from `lake`.`shop`.`users`
  where (cast(`id` as string) in (:p1, :p2) or (regexp_like(cast(`id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from `lake`.`shop`.`rudder_discards`
  where cast(`table_name` as string) = :p1 and cast(`row_id` as string) <> '' and cast(`row_id` as string) in (select cast(`id` as string) from `lake`.`shop`.`users`
  where cast(`id` as string) in (:p2));
-- parameter 1: users
-- parameter 2: u1

delete from `lake`.`shop`.`users`
  where cast(`id` as string) in (:p1);
-- parameter 1: u1

select cast(`user_id` as string) as k, count(*) as n from `lake`.`shop`.`identifies`
  where (cast(`user_id` as string) in (:p1, :p2) or (regexp_like(cast(`user_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`user_id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from `lake`.`shop`.`rudder_discards`
  where cast(`table_name` as string) = :p1 and cast(`row_id` as string) <> '' and cast(`row_id` as string) in (select cast(`id` as string) from `lake`.`shop`.`identifies`
  where cast(`user_id` as string) in (:p2));
-- parameter 1: identifies
-- parameter 2: u1

delete from `lake`.`shop`.`identifies`
  where cast(`user_id` as string) in (:p1);
-- parameter 1: u1

select cast(`anonymous_id` as string) as k, count(*) as n from `lake`.`shop`.`identifies`
  where (cast(`anonymous_id` as string) in (:p1, :p2) or (regexp_like(cast(`anonymous_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`anonymous_id` as string), '[^0-9@._-]', '') in ('1', '2'))) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select cast(`row_id` as string) as k, count(*) as n from `lake`.`shop`.`rudder_discards`
  where (cast(`row_id` as string) in (:p1, :p2) or (regexp_like(cast(`row_id` as string), '[^ -~]|^ | $') and regexp_replace(cast(`row_id` as string), '[^0-9@._-]', '') in ('1', '2'))) and cast(`table_name` as string) = :p3 group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2
-- parameter 3: users
