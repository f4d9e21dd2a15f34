import type { LedgerPlace } from '@sluice/regulation'
import { StoreUnusableError } from '@sluice/storage'
import { connect, type Query } from '../connect/connect.ts'
import { repeated } from '../connect/lost-answers.ts'
import { defaultSchema, requireSchemaName, type StoreAddress } from '../store-address.ts'

/**
 * Opens a ledger in a database, which must be another one than that of the store, with backups of its own. Its three tables
 * are created when they are missing. Positions are the numbers of lines.
 * @param onError receives errors of connections that nothing uses.
 * @throws StoreUnusableError when the database cannot be used.
 */
export async function openPostgresLedgerPlace(
  { url, schema = defaultSchema }: StoreAddress,
  onError: (error: unknown) => void,
): Promise<LedgerPlace> {
  requireSchemaName(schema)
  const { query, place, alone, close } = await connect(url, schema, onError, { connections: 2 })
  await alone(`sluice ledger ${schema}`, async () => {
    const [found] = await query<{ tables: string | null }>(`select to_regclass($1)::text as tables`, [
      `${schema}.ledger_line`,
    ])
    if (found?.tables) return
    await query(`create schema if not exists ${schema}`)
    await query('create table if not exists ledger_text (name text primary key, text text not null)')
    await query('create table if not exists ledger_note (name text primary key, text text not null)')
    await query(
      'create table if not exists ledger_line (chain text, number bigint, text text not null, primary key (chain, number))',
    )
  })
  // Each changes nothing when it runs again.
  const write: Query = (text, values) => repeated(() => query(text, values))
  const kept = async (name: string): Promise<string | undefined> =>
    (await query<{ text: string }>('select text from ledger_text where name = $1', [name]))[0]?.text
  return {
    name: `the database ${place}, schema ${schema}`,
    kept,
    keep: async (name, fresh) => {
      await write('insert into ledger_text (name, text) values ($1, $2) on conflict (name) do nothing', [name, fresh])
      return (await kept(name)) ?? fresh
    },
    replace: async (name, text) => {
      await write(
        'insert into ledger_text (name, text) values ($1, $2) on conflict (name) do update set text = excluded.text',
        [name, text],
      )
    },
    chains: async () =>
      // From one chain to the next in the index: there are many lines, and few chains.
      (
        await query<{ chain: string }>(
          `with recursive each as (
             select min(chain) as chain from ledger_line
             union all
             select (select min(chain) from ledger_line where chain > each.chain) from each where each.chain is not null)
           select chain from each where chain is not null order by chain`,
        )
      ).map(({ chain }) => chain),
    read: async (chain, from, limit) => {
      const rows = await query<{ number: number; text: string }>(
        'select number, text from ledger_line where chain = $1 and number >= $2 order by number limit $3',
        [chain, from, limit],
      )
      // A line that is missing ends the chain, as the end of a file does.
      const whole = rows.filter(({ number }, i) => number === from + i)
      return whole.map(({ number, text }) => ({ text, next: number + 1 }))
    },
    append: async (chain, at, text) => {
      const written = await write(
        `insert into ledger_line (chain, number, text)
         select $1, $2::bigint, $3 where $2 = 0 or exists (select from ledger_line where chain = $1 and number = $2 - 1)
         on conflict (chain, number) do update set text = excluded.text returning number`,
        [chain, at, text],
      )
      // Lines behind a gap are never read.
      if (written.length === 0)
        throw new StoreUnusableError(
          `the database ${place}, schema ${schema}, has lost lines of the ledger, as after a fail-over to an asynchronous standby: sluice ledger verify shows what is left`,
        )
      return at + 1
    },
    writeNote: async (name, text) => {
      await write(
        'insert into ledger_note (name, text) values ($1, $2) on conflict (name) do update set text = excluded.text',
        [name, text],
      )
    },
    readNote: async (name) =>
      (await query<{ text: string }>('select text from ledger_note where name = $1', [name]))[0]?.text,
    notes: async () =>
      (await query<{ name: string }>('select name from ledger_note order by name')).map(({ name }) => name),
    removeNote: async (name) => {
      await write('delete from ledger_note where name = $1', [name])
    },
    close,
  }
}
