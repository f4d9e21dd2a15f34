import type { StoreAddress } from '@sluice/postgres'
import { Option } from 'commander'
import { CliError } from '../cli-error.ts'

/** The option that names the database of a cluster. @param use what the command needs it for. */
export function storeOption(use: string): Option {
  return new Option('--store <url>', `PostgreSQL ${use} (postgres://user@host/database?schema=name)`).env(
    'SLUICE_STORE',
  )
}

/**
 * Parses the value of `--store`, which has `?schema=` where it is not the default one. Errors do not repeat it: it may
 * contain a password.
 */
export function storeAddress(store: string | undefined, flag = '--store'): StoreAddress {
  if (store === undefined)
    throw new CliError(`${flag} is missing: give the address of the database, or set SLUICE_STORE`)
  if (!URL.canParse(store) || !/^postgres(?:ql)?:$/.test(new URL(store).protocol))
    throw new CliError(`${flag}: give the address of a PostgreSQL database, such as postgres://user@host:5432/database`)
  const url = new URL(store)
  const schema = url.searchParams.get('schema')
  url.searchParams.delete('schema')
  return { url: url.href, schema: schema ?? undefined }
}
