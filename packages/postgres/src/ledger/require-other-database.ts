import { systemRandom } from '@sluice/core'
import { StoreUnusableError } from '@sluice/storage'
import { type Connection, connect } from '../connect/connect.ts'
import { defaultSchema, type StoreAddress } from '../store-address.ts'

/**
 * Refuses a ledger in the database of the store, whose restore would restore both. Addresses do not tell: a host has several
 * names, and a pooler its own. So a lock that belongs to one database is taken through the address of the store, and tried
 * through that of the ledger. Any user may do so.
 *
 * @throws StoreUnusableError when it is the same database, when that cannot be found out, or when one cannot be reached.
 */
export async function requireOtherDatabase(store: StoreAddress, ledger: StoreAddress): Promise<void> {
  const open = ({ url, schema = defaultSchema }: StoreAddress): Promise<Connection> =>
    connect(url, schema, () => {}, { connections: 2 })
  const ofStore = await open(store)
  try {
    const ofLedger = await open(ledger)
    try {
      await compare(ofStore, ofLedger)
    } finally {
      await ofLedger.close()
    }
  } finally {
    await ofStore.close()
  }
}

async function compare(store: Connection, ledger: Connection): Promise<void> {
  const key = [...new Int32Array(systemRandom.fill(new Uint8Array(8)).buffer)]
  const isFree = async ({ query }: Connection): Promise<boolean> => {
    const [row] = await query<{ free: boolean }>('select pg_try_advisory_xact_lock($1::int, $2::int) as free', key)
    return row?.free !== false
  }
  const [isFreeHere, isFreeThere] = await store
    .transaction(async (query) => {
      await query('select pg_advisory_xact_lock($1::int, $2::int)', key)
      return [await isFree(store), await isFree(ledger)]
    })
    .catch((error: unknown) => {
      throw new StoreUnusableError(
        `it cannot be found out whether the ledger at ${ledger.place} is in the database of the store, because locks cannot be used: ${error instanceof Error ? error.message : String(error)}. Keep the ledger in a folder or a bucket`,
      )
    })
  // What is between may answer without asking the server.
  if (isFreeHere)
    throw new StoreUnusableError(
      `it cannot be found out whether the ledger at ${ledger.place} is in the database of the store: the server of the store gave a lock twice. Keep the ledger in a folder or a bucket`,
    )
  if (!isFreeThere)
    throw new StoreUnusableError(
      `--ledger: ${ledger.place} is the database of the store at ${store.place}; name another one, because a restore of that one restores both`,
    )
}
