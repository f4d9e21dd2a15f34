import { type DayCount, daysMax, daysOf, type VersionDelta } from '@sluice/schema'
import { inChunks } from '../in-chunks.ts'
import type { Db } from '../sql-session.ts'

/** What was seen of a model. */
interface SeenModel {
  readonly eventId: string
  readonly versions: readonly VersionDelta[]
}

/** Adds to the events of models by day, and deletes days that are too old: only when a model gets a new day. */
export async function countDays(db: Db, models: readonly SeenModel[]): Promise<void> {
  const counted = models.flatMap(({ eventId, versions }) =>
    daysOf(versions).map(({ day, count }) => ({ event_model_id: eventId, day, total: count })),
  )
  const added = new Map(counted.map((row) => [`${row.event_model_id} ${row.day}`, row.total]))
  const turned = new Set<string>()
  await inChunks(counted, async (chunk) => {
    const rows = await db
      .insertInto('schema_day')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['event_model_id', 'day'])
          .doUpdateSet((eb) => ({ total: eb('schema_day.total', '+', eb.ref('excluded.total')) })),
      )
      .returningAll()
      .execute()
    // A row that has no more than was added is new.
    for (const { event_model_id, day, total } of rows)
      if (total === added.get(`${event_model_id} ${day}`)) turned.add(event_model_id)
  })
  await inChunks([...turned], (chunk) =>
    db
      .deleteFrom('schema_day')
      .where('event_model_id', 'in', chunk)
      .where((eb) =>
        eb(
          'day',
          '<=',
          eb(
            eb
              .selectFrom('schema_day as newer')
              .select(({ fn }) => fn.max<number>('newer.day').as('newest'))
              .whereRef('newer.event_model_id', '=', 'schema_day.event_model_id'),
            '-',
            daysMax,
          ),
        ),
      )
      .execute(),
  )
}

/** Returns the events of a model by day, oldest first. */
export async function readDays(db: Db, workspaceId: string, eventId: string): Promise<readonly DayCount[]> {
  const rows = await db
    .selectFrom('schema_day')
    .innerJoin('event_model', 'event_model.event_id', 'schema_day.event_model_id')
    .select(['schema_day.day', 'schema_day.total'])
    .where('event_model.workspace_id', '=', workspaceId)
    .where('schema_day.event_model_id', '=', eventId)
    .orderBy('schema_day.day')
    .execute()
  return rows.map(({ day, total }) => ({ day, count: total }))
}
