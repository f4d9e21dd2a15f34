-- A load into a namespace that does not exist

set statement_timeout to 600000;

select table_name, column_name, data_type, character_maximum_length, numeric_scale from svv_columns
  where table_schema = $1 order by table_name, ordinal_position;
-- parameter 1: shop

create schema if not exists "shop";

create table if not exists "shop"."sluice_loads" (id varchar(256), state varchar(16), destination_id varchar(256), loaded_at timestamptz, row_count bigint);

select table_name, column_name, data_type, character_maximum_length, numeric_scale from svv_columns
  where table_schema = $1 order by table_name, ordinal_position;
-- parameter 1: shop

create table if not exists "shop"."tracks" ("uuid_ts" timestamptz, "id" varchar(65535), "received_at" timestamptz, "user_id" varchar(65535), "anonymous_id" varchar(65535), "total" bigint);

create table if not exists "shop"."identifies" ("uuid_ts" timestamptz, "id" varchar(65535), "user_id" varchar(65535), "anonymous_id" varchar(65535), "traits" super);

create table if not exists "shop"."users" ("uuid_ts" timestamptz, "id" varchar(65535), "received_at" timestamptz, "vip" boolean);

select table_name, column_name, data_type, character_maximum_length, numeric_scale from svv_columns
  where table_schema = $1 order by table_name, ordinal_position;
-- parameter 1: shop

create temp table sluice_stage_0 (c0 varchar(65535), c1 varchar(65535), c2 varchar(65535), c3 varchar(65535), c4 varchar(65535), c5 varchar(65535));

insert into sluice_stage_0
  values ($1, $2, $3, $4, $5, $6);
-- parameter 1: 2026-01-02T03:04:05.000Z
-- parameter 2: m1
-- parameter 3: 2026-01-02T03:00:00.000Z
-- parameter 4: u1
-- parameter 5: a1
-- parameter 6: 5

create temp table sluice_stage_1 (c0 varchar(65535), c1 varchar(65535), c2 varchar(65535), c3 varchar(65535), c4 varchar(65535));

insert into sluice_stage_1
  values ($1, $2, $3, $4, $5);
-- parameter 1: 2026-01-02T03:04:05.000Z
-- parameter 2: m2
-- parameter 3: u1
-- parameter 4: a1
-- parameter 5: {"a":1}

create temp table sluice_stage_2 (c0 varchar(65535), c1 varchar(65535), c2 varchar(65535), c3 varchar(65535));

insert into sluice_stage_2
  values ($1, $2, $3, $4);
-- parameter 1: 2026-01-02T03:04:05.000Z
-- parameter 2: u1
-- parameter 3: 2026-01-02T03:00:00.000Z
-- parameter 4: true

begin;

lock "shop"."sluice_loads";

select state from "shop"."sluice_loads"
  where id = $1;
-- parameter 1: load-1

insert into "shop"."sluice_loads" (id, state, destination_id, loaded_at, row_count)
  values ($1, 'loaded', $2, $3, $4);
-- parameter 1: load-1
-- parameter 2: warehouse
-- parameter 3: 2026-01-02T03:04:05.000Z
-- parameter 4: 3

delete from "shop"."tracks" using sluice_stage_0 s
  where "tracks"."id" = s.c1 and length("tracks"."id") = length(s.c1) and "tracks"."received_at" >= cast('2025-12-26T03:04:05.000Z' as timestamptz);

insert into "shop"."tracks" ("uuid_ts", "id", "received_at", "user_id", "anonymous_id", "total")
  select cast(s.c0 as timestamptz), s.c1, cast(s.c2 as timestamptz), s.c3, s.c4, cast(s.c5 as bigint) from sluice_stage_0 s;

delete from "shop"."identifies" using sluice_stage_1 s
  where "identifies"."id" = s.c1 and length("identifies"."id") = length(s.c1);

insert into "shop"."identifies" ("uuid_ts", "id", "user_id", "anonymous_id", "traits")
  select cast(s.c0 as timestamptz), s.c1, s.c2, s.c3, json_parse(s.c4) from sluice_stage_1 s;

update "shop"."users" set "uuid_ts" = case when cast(s.c2 as timestamptz) < "users"."received_at" then coalesce("users"."uuid_ts", cast(s.c0 as timestamptz)) else coalesce(cast(s.c0 as timestamptz), "users"."uuid_ts") end, "received_at" = case when cast(s.c2 as timestamptz) < "users"."received_at" then coalesce("users"."received_at", cast(s.c2 as timestamptz)) else coalesce(cast(s.c2 as timestamptz), "users"."received_at") end, "vip" = case when cast(s.c2 as timestamptz) < "users"."received_at" then coalesce("users"."vip", cast(s.c3 as boolean)) else coalesce(cast(s.c3 as boolean), "users"."vip") end from sluice_stage_2 s
  where "users"."id" = s.c1 and length("users"."id") = length(s.c1);

insert into "shop"."users" ("uuid_ts", "id", "received_at", "vip")
  select cast(s.c0 as timestamptz), s.c1, cast(s.c2 as timestamptz), cast(s.c3 as boolean) from sluice_stage_2 s
  where not exists (select 1 from "shop"."users" t
  where t."id" = s.c1 and length(t."id") = length(s.c1));

commit;

-- A load with a new column, and a value that does not fit

set statement_timeout to 600000;

select table_name, column_name, data_type, character_maximum_length, numeric_scale from svv_columns
  where table_schema = $1 order by table_name, ordinal_position;
-- parameter 1: shop

create table if not exists "shop"."rudder_discards" ("row_id" varchar(65535), "table_name" varchar(65535), "column_name" varchar(65535), "column_value" varchar(65535), "reason" varchar(65535), "received_at" timestamptz, "uuid_ts" timestamptz);

select table_name, column_name, data_type, character_maximum_length, numeric_scale from svv_columns
  where table_schema = $1 order by table_name, ordinal_position;
-- parameter 1: shop

alter table "shop"."tracks" add column "rate" double precision;

create temp table sluice_stage_0 (c0 varchar(65535), c1 varchar(65535), c2 varchar(65535), c3 varchar(65535));

insert into sluice_stage_0
  values ($1, $2, $3, $4);
-- parameter 1: 2026-01-02T03:04:05.000Z
-- parameter 2: m3
-- parameter 3: null
-- parameter 4: 0.5

create temp table sluice_stage_1 (c0 varchar(65535), c1 varchar(65535), c2 varchar(65535), c3 varchar(65535), c4 varchar(65535), c5 varchar(65535), c6 varchar(65535));

insert into sluice_stage_1
  values ($1, $2, $3, $4, $5, $6, $7);
-- parameter 1: m3
-- parameter 2: tracks
-- parameter 3: total
-- parameter 4: many
-- parameter 5: a value of type string does not fit the column of type bigint
-- parameter 6: null
-- parameter 7: 2026-01-02T03:04:05.000Z

begin;

lock "shop"."sluice_loads";

select state from "shop"."sluice_loads"
  where id = $1;
-- parameter 1: load-2

insert into "shop"."sluice_loads" (id, state, destination_id, loaded_at, row_count)
  values ($1, 'loaded', $2, $3, $4);
-- parameter 1: load-2
-- parameter 2: warehouse
-- parameter 3: 2026-01-02T03:04:05.000Z
-- parameter 4: 2

delete from "shop"."tracks" using sluice_stage_0 s
  where "tracks"."id" = s.c1 and length("tracks"."id") = length(s.c1);

insert into "shop"."tracks" ("uuid_ts", "id", "total", "rate")
  select cast(s.c0 as timestamptz), s.c1, cast(s.c2 as bigint), cast(s.c3 as double precision) from sluice_stage_0 s;

insert into "shop"."rudder_discards" ("row_id", "table_name", "column_name", "column_value", "reason", "received_at", "uuid_ts")
  select s.c0, s.c1, s.c2, s.c3, s.c4, cast(s.c5 as timestamptz), cast(s.c6 as timestamptz) from sluice_stage_1 s;

commit;

-- A load that only adds rows

set statement_timeout to 600000;

select table_name, column_name, data_type, character_maximum_length, numeric_scale from svv_columns
  where table_schema = $1 order by table_name, ordinal_position;
-- parameter 1: shop

create temp table sluice_stage_0 (c0 varchar(65535), c1 varchar(65535));

insert into sluice_stage_0
  values ($1, $2);
-- parameter 1: 2026-01-02T03:04:05.000Z
-- parameter 2: m4

begin;

lock "shop"."sluice_loads";

select state from "shop"."sluice_loads"
  where id = $1;
-- parameter 1: load-3

insert into "shop"."sluice_loads" (id, state, destination_id, loaded_at, row_count)
  values ($1, 'loaded', $2, $3, $4);
-- parameter 1: load-3
-- parameter 2: warehouse
-- parameter 3: 2026-01-02T03:04:05.000Z
-- parameter 4: 1

insert into "shop"."tracks" ("uuid_ts", "id")
  select cast(s.c0 as timestamptz), s.c1 from sluice_stage_0 s;

commit;

-- A load whose end is not known is settled

set statement_timeout to 600000;

select table_name, column_name, data_type, character_maximum_length, numeric_scale from svv_columns
  where table_schema = $1 order by table_name, ordinal_position;
-- parameter 1: shop

begin;

lock "shop"."sluice_loads";

select state from "shop"."sluice_loads"
  where id = $1;
-- parameter 1: load-4

insert into "shop"."sluice_loads" (id, state)
  values ($1, 'void');
-- parameter 1: load-4

commit;

-- Rows of users are deleted

set statement_timeout to 600000;

select table_name, column_name, data_type, character_maximum_length, numeric_scale from svv_columns
  where table_schema = $1 order by table_name, ordinal_position;
-- parameter 1: shop

select "table_name" as k, "column_name" as v from "shop"."rudder_discards" group by 1, 2;

select "user_id" as k, count(*) as n from "shop"."identifies"
  where ("user_id" in ($1, $2) or ("user_id" ~ '[^ -~]|^ | $')) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select "user_id" as k, "anonymous_id" as v from "shop"."identifies"
  where "user_id" in ($1) and "anonymous_id" is not null group by 1, 2 order by 2, 1 limit 5000;
-- parameter 1: u1

select "user_id" as k, count(*) as n from "shop"."tracks"
  where ("user_id" in ($1) or ("user_id" ~ '[^ -~]|^ | $')) group by 1 order by 1 limit 5000;
-- parameter 1: 

select "anonymous_id" as k, count(*) as n from "shop"."tracks"
  where ("anonymous_id" in ($1) or ("anonymous_id" ~ '[^ -~]|^ | $')) and ("user_id" is null) group by 1 order by 1 limit 5000;
-- parameter 1: a1

select "user_id" as k, count(*) as n from "shop"."identifies"
  where ("user_id" in ($1) or ("user_id" ~ '[^ -~]|^ | $')) group by 1 order by 1 limit 5000;
-- parameter 1: 

select "anonymous_id" as k, count(*) as n from "shop"."identifies"
  where ("anonymous_id" in ($1) or ("anonymous_id" ~ '[^ -~]|^ | $')) and ("user_id" is null) group by 1 order by 1 limit 5000;
-- parameter 1: a1

select "user_id" as k, count(*) as n from "shop"."tracks"
  where ("user_id" in ($1, $2) or ("user_id" ~ '[^ -~]|^ | $')) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from "shop"."rudder_discards"
  where "table_name" = $1 and "row_id" <> '' and "row_id" in (select "id" from "shop"."tracks"
  where "user_id" in ($2));
-- parameter 1: tracks
-- parameter 2: u1

delete from "shop"."tracks"
  where "user_id" in ($1);
-- parameter 1: u1

select "anonymous_id" as k, count(*) as n from "shop"."tracks"
  where ("anonymous_id" in ($1, $2) or ("anonymous_id" ~ '[^ -~]|^ | $')) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select "id" as k, count(*) as n from "shop"."users"
  where ("id" in ($1, $2) or ("id" ~ '[^ -~]|^ | $')) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from "shop"."rudder_discards"
  where "table_name" = $1 and "row_id" <> '' and "row_id" in (select "id" from "shop"."users"
  where "id" in ($2));
-- parameter 1: users
-- parameter 2: u1

delete from "shop"."users"
  where "id" in ($1);
-- parameter 1: u1

select "user_id" as k, count(*) as n from "shop"."identifies"
  where ("user_id" in ($1, $2) or ("user_id" ~ '[^ -~]|^ | $')) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

delete from "shop"."rudder_discards"
  where "table_name" = $1 and "row_id" <> '' and "row_id" in (select "id" from "shop"."identifies"
  where "user_id" in ($2));
-- parameter 1: identifies
-- parameter 2: u1

delete from "shop"."identifies"
  where "user_id" in ($1);
-- parameter 1: u1

select "anonymous_id" as k, count(*) as n from "shop"."identifies"
  where ("anonymous_id" in ($1, $2) or ("anonymous_id" ~ '[^ -~]|^ | $')) group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2

select "row_id" as k, count(*) as n from "shop"."rudder_discards"
  where ("row_id" in ($1, $2) or ("row_id" ~ '[^ -~]|^ | $')) and "table_name" = $3 group by 1 order by 1 limit 5000;
-- parameter 1: u1
-- parameter 2: u'2
-- parameter 3: users
