import type { BoundDelta, SchemaBound } from '@sluice/schema'
import { inChunks } from '../in-chunks.ts'
import type { Db } from '../sql-session.ts'

/** Sums how often each bound was reached, so that each row is updated once. */
export class BoundTally {
  readonly #deltas = new Map<string, BoundDelta>()

  add(writeKey: string, bound: SchemaBound, count: number): void {
    if (count === 0) return
    const key = `${bound} ${writeKey}`
    this.#deltas.set(key, { writeKey, bound, count: count + (this.#deltas.get(key)?.count ?? 0) })
  }

  deltas(): readonly BoundDelta[] {
    return [...this.#deltas.values()]
  }
}

/** Adds to how often each bound was reached. */
export async function addBounds(db: Db, workspaceId: string, deltas: readonly BoundDelta[]): Promise<void> {
  await inChunks(deltas, (chunk) =>
    db
      .insertInto('schema_bound')
      .values(
        chunk.map(({ writeKey, bound, count }) => ({
          workspace_id: workspaceId,
          write_key: writeKey,
          bound,
          total: count,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'write_key', 'bound'])
          .doUpdateSet((eb) => ({ total: eb('schema_bound.total', '+', eb.ref('excluded.total')) })),
      )
      .execute(),
  )
}
