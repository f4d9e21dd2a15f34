import { createLoader, TableRow, type Warehouse } from '@sluice/warehouse'
import { row } from '../describe-warehouse.ts'
import type { PlayedDatabase } from './played-database.ts'

const live = new AbortController().signal
const at = Date.UTC(2026, 0, 2, 3, 4, 5)

/**
 * Loads and erases as a destination would.
 * @param nameOf returns a name in the case of the product. @param loaded called before rows are deleted. @returns the statements that this took, scene by scene.
 */
export async function scenes(
  warehouse: Warehouse,
  database: Pick<PlayedDatabase, 'seen'>,
  nameOf: (name: string) => string,
  loaded: () => Promise<void> = async () => {},
): Promise<string> {
  const written: string[] = []
  async function scene(title: string, play: () => Promise<unknown>): Promise<void> {
    const from = database.seen.length
    await play()
    written.push(`-- ${title}`, ...database.seen.slice(from))
  }
  async function load(
    id: string,
    mode: 'append' | 'replace',
    ...rows: readonly ReturnType<typeof row>[]
  ): Promise<void> {
    const loader = createLoader(
      { warehouse, pace: { ms: 1, eventsMax: 1 }, mode, nameOf, windowMs: 7 * 86_400_000 },
      { destinationId: 'warehouse', now: () => at },
    )
    loader.add({}, [{ body: { JSON: { rows } } }] as never)
    await loader.load(id, live)
  }
  const cased = (table: string, cells: Parameters<typeof row>[1]) => {
    const { names, types, values } = row(table, cells)
    return new TableRow(nameOf(table), names.map(nameOf), types, values)
  }
  const received = ['datetime', '2026-01-02T03:00:00.000Z'] as const
  await scene('A load into a namespace that does not exist', () =>
    load(
      'load-1',
      'replace',
      cased('tracks', { id: 'm1', received_at: received, user_id: 'u1', anonymous_id: 'a1', total: ['int', 5] }),
      cased('identifies', { id: 'm2', user_id: 'u1', anonymous_id: 'a1', traits: ['json', '{"a":1}'] }),
      cased('users', { id: 'u1', received_at: received, vip: ['boolean', true] }),
    ),
  )
  await scene('A load with a new column, and a value that does not fit', () =>
    load('load-2', 'replace', cased('tracks', { id: 'm3', total: ['string', 'many'], rate: ['float', 0.5] })),
  )
  await scene('A load that only adds rows', () => load('load-3', 'append', cased('tracks', { id: 'm4' })))
  await scene('A load whose end is not known is settled', async () => {
    const session = await warehouse.connect(live)
    await session.settle('load-4')
  })
  await loaded()
  await scene('Rows of users are deleted', async () => {
    const session = await warehouse.connect(live)
    await session.erase({ userIds: ['u1', "u'2"], usersPerBatch: 100, signal: live })
  })
  const attempts = new Map<string, string>()
  const named = (id: string): string =>
    attempts.get(id) ?? attempts.set(id, `attempt-${attempts.size + 1}`).get(id) ?? ''
  return `${written.join('\n\n').replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, named)}\n`
}
