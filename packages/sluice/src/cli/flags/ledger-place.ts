import { resolve } from 'node:path'
import { systemRandom } from '@sluice/core'
import type { LedgerPlace } from '@sluice/regulation'
import { Option } from 'commander'
import { CliError } from '../cli-error.ts'
import { storeAddress } from './store-address.ts'

/** Folder of the ledger in the folder of a store. */
const ledgerFolder = 'ledger'

/** As `operatorKeyCharsMin` of the ledger, which is not loaded for it. */
const keyCharsMin = 32

/** The option that names the place of the ledger of regulations. */
export function ledgerOption(): Option {
  return new Option(
    '--ledger <place>',
    'where regulations are kept a second time, apart from the store and its backups: a folder, the address of another PostgreSQL database, a bucket (s3://bucket/prefix?region=name), or none (default: the folder ledger in --data; with --store: none)',
  ).env('SLUICE_LEDGER')
}

/**
 * Opens the ledger that the flags name; undefined for none.
 * @throws StoreUnusableError when it is in the database of the store, whose restore would restore it, too, or that cannot be found out.
 */
export async function openLedgerPlace(
  flags: { readonly ledger?: string; readonly store?: string; readonly data?: string },
  onError: (error: unknown) => void,
): Promise<LedgerPlace | undefined> {
  const { ledger, store, data } = flags
  if (ledger === 'none' || (ledger === undefined && store !== undefined)) return undefined
  if (ledger === undefined || !/^[a-z][a-z0-9+.-]*:\/\//i.test(ledger)) {
    const { createFolderLedgerPlace } = await import('@sluice/storage')
    return createFolderLedgerPlace(ledger ?? resolve(data ?? '.sluice', ledgerFolder), systemRandom)
  }
  if (/^s3:\/\//i.test(ledger)) {
    const { bucketAddress } = await import('./bucket-address.ts')
    const address = bucketAddress(ledger, process.env)
    const { openBucketLedgerPlace } = await import('../../bucket-ledger-place.ts')
    return openBucketLedgerPlace(address)
  }
  const address = storeAddress(ledger, '--ledger')
  const { openPostgresLedgerPlace, requireOtherDatabase } = await import('@sluice/postgres')
  if (store !== undefined) await requireOtherDatabase(storeAddress(store), address)
  return openPostgresLedgerPlace(address, onError)
}

/**
 * Returns the key of the operator for the ids in the ledger; undefined when none is set.
 * @throws CliError when it is too short.
 */
export function ledgerKeyOf(env: NodeJS.ProcessEnv, name = 'SLUICE_LEDGER_KEY'): string | undefined {
  const key = env[name]
  if (key === undefined || key === '') return undefined
  if (key.length < keyCharsMin)
    throw new CliError(
      `${name} has ${key.length} characters: give ${keyCharsMin} or more, such as the output of openssl rand -base64 32`,
    )
  return key
}
