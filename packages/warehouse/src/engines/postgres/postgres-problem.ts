import { WarehouseError } from '../../load/warehouse-error.ts'

/** What an operator can do, by SQLSTATE or its class, or by the code of the operating system. */
const advice: Readonly<Record<string, string>> = {
  '28P01': 'Check user and password.',
  '28000': 'Check user, password and sslMode, and the host rules of the server (pg_hba.conf).',
  '3D000': 'Create the database, or correct its name in the settings.',
  '42501': 'Grant the user the right to create schemas in the database, and tables in the schema.',
  '53100': 'Free space on the disk of the server; the load is repeated.',
  '53200': 'The server has too little memory; the load is repeated.',
  '53300': 'The server has no connection left: raise max_connections, or close others.',
  '55P03': 'Another session locks the table: end it, or wait; the load is repeated.',
  '57014': 'The statement took too long: look for locks, or load fewer events at once.',
  '57P01': 'The server was stopped; the load is repeated.',
  '57P03': 'The server is starting or stopping; the load is repeated.',
  '23502': 'A column of the table must not be NULL: remove that constraint, which Sluice does not know.',
  '42703': 'A column was dropped meanwhile: the next load adds it again.',
  '42P01': 'A table was dropped meanwhile: the next load creates it again.',
  ECONNREFUSED: 'No server listens there: check host and port, and that the server runs.',
  ENOTFOUND: 'The host is unknown: check its name.',
  ETIMEDOUT: 'The server did not answer in time: check host, port and firewall.',
  EPEERSILENT: 'The server did not answer in time: check that it runs, and the way to it; the load is repeated.',
  EADDRREFUSED: 'The address is not public: allow it with --allow-address.',
}

/** Values that a type does not have, constraints, limits such as the size of an index entry, checks of views, and what triggers raise. */
const isOfRows = /^(?:22|23|44|54|P0)[0-9A-Z]{3}$/

/** Returns the failure of a PostgreSQL server with what to do. The server does not put credentials into its messages. */
export function postgresProblem(error: unknown, place: string): WarehouseError {
  if (error instanceof WarehouseError) return error
  const {
    code = 'UNKNOWN',
    message,
    table,
    column,
  } = (error ?? {}) as Error & {
    readonly code?: string
    readonly table?: string
    readonly column?: string
  }
  const where = [table, column].filter(Boolean).join('.')
  const what = `${place}: ${message ?? String(error)}${where ? ` (${where})` : ''}`
  const hint = advice[code]
  return new WarehouseError(`${what.replace(/\.?$/, '.')}${hint ? ` ${hint}` : ''}`, code, isOfRows.test(code))
}

/**
 * Returns whether the server refuses a statement for a name in it, such as that of a system column, or for what is there under the name.
 * The other errors of its class are a lack of rights, and a table or schema that was dropped meanwhile.
 */
export function isRefusedName(error: unknown): error is WarehouseError {
  return error instanceof WarehouseError && /^(?:42(?!501$|P01$)|54011$)/.test(error.code)
}
