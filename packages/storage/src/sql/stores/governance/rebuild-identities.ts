import { isAlias, keysOfRegulation, type PersonOfRegulation } from '@sluice/regulation'
import type { Selectable } from 'kysely'
import { inChunks } from '../../in-chunks.ts'
import type { Db } from '../../sql-session.ts'
import type { Tables } from '../../tables.ts'

type PersonRow = Pick<
  Selectable<Tables['regulation']>,
  'workspace_id' | 'id' | 'regulation_type' | 'user_id' | 'attributes_json'
>

/** Rows that are read at a time. */
const rowsAtOnce = 500

/** Returns whom a stored regulation is about. No id has the key of an alias, so it says that there are no ids. */
export function personOf({ regulation_type, user_id, attributes_json }: PersonRow): PersonOfRegulation {
  const attributes: PersonOfRegulation['attributes'] = JSON.parse(attributes_json)
  const person = { regulationType: regulation_type, attributes }
  return isAlias(user_id) ? { ...person, hasNoIds: true } : person
}

/** Writes down the keys of active regulations behind the first, which they have themselves. @returns the new rows. */
export async function addIdentities(
  db: Db,
  active: readonly PersonRow[],
): Promise<readonly Tables['regulation_identity'][]> {
  const rows = active.flatMap((row) => {
    const [, ...further] = keysOfRegulation(personOf(row))
    return further.map((identity) => ({ workspace_id: row.workspace_id, identity, regulation_id: row.id }))
  })
  await inChunks(rows, (chunk) => db.insertInto('regulation_identity').values(chunk).execute())
  return rows
}

/** Writes down the keys of all active regulations again, from their attributes. */
export async function rebuildIdentities(db: Db): Promise<void> {
  await db.deleteFrom('regulation_identity').execute()
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom('regulation')
      .select(['seq', 'workspace_id', 'id', 'regulation_type', 'user_id', 'attributes_json'])
      .where('canceled', '=', 0)
      .where('seq', '>', after)
      .where('regulation_type', '=', 'suppress_with_delete')
      // Most have a userId only.
      .where('attributes_json', 'like', '%","%')
      .orderBy('seq')
      .limit(rowsAtOnce)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
    await addIdentities(db, rows)
  }
}

/** Adds a change for each key that `rebuildIdentities` wrote down. */
export async function addChangesOfIdentities(db: Db): Promise<void> {
  await db
    .insertInto('regulation_change')
    .columns(['workspace_id', 'user_id', 'delta'])
    .expression((from) =>
      from
        .selectFrom('regulation_identity')
        .select(({ val, ref }) => [
          ref('workspace_id').as('workspace_id'),
          ref('identity').as('user_id'),
          val(1).as('delta'),
        ]),
    )
    .execute()
}
