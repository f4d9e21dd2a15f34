import { WarehouseError } from '../../load/warehouse-error.ts'

/** The driver of PostgreSQL and Redshift, and how it copies rows. */
interface PostgresDriver {
  readonly Client: typeof import('pg').Client
  readonly copyFrom: typeof import('pg-copy-streams').from
}

let loaded: Promise<PostgresDriver> | undefined

/**
 * Loads the driver with the first connection: its packages are optional.
 * @throws WarehouseError when a package is not installed.
 */
export function loadPg(): Promise<PostgresDriver> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

async function load(): Promise<PostgresDriver> {
  try {
    // Awaited one by one, because bundlers accept that an awaited package of a try is absent.
    const { default: pg } = await import('pg')
    const { from: copyFrom } = await import('pg-copy-streams')
    return { Client: pg.Client, copyFrom }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !/'pg(?:-copy-streams)?'/.test(message)) throw error
    throw new WarehouseError(
      'PostgreSQL and Redshift need two packages beside Sluice: npm install pg pg-copy-streams.',
      'POSTGRES_MISSING',
    )
  }
}
