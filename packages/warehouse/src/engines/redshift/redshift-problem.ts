import { WarehouseError } from '../../load/warehouse-error.ts'
import { type Advice, refusal } from '../cloud/refusal.ts'

const advice: Advice = {
  '28000': 'Check user and password, and that the user may connect to the database.',
  '28P01': 'Check user and password.',
  '3D000': 'Create the database, or correct its name in the settings.',
  '42501': 'Grant the user the right to create schemas in the database, and tables in the schema.',
  '53100': 'The cluster has no disk space left: resize it, or delete data; the load is repeated.',
  '57014': 'The statement was cancelled or took too long: look for locks, or load fewer events at once.',
  '57P01': 'The cluster was stopped; the load is repeated.',
  '57P03': 'The cluster is starting or stopping; the load is repeated.',
  '40001': 'Another transaction wrote the same table; the load is repeated.',
  XX000: 'Look into the system table stl_error of the cluster; the load is repeated.',
  '42703': 'A column was dropped meanwhile: the next load adds it again.',
  '42P01': 'A table was dropped meanwhile: the next load creates it again.',
  ECONNREFUSED: 'No cluster listens there: check host and port, and that it runs.',
  ENOTFOUND: 'The host is unknown: check its name.',
  ETIMEDOUT: 'The cluster did not answer in time: check host and port, and that its security group lets you in.',
  EPEERSILENT: 'The cluster did not answer in time: check that it runs, and the way to it; the load is repeated.',
  EADDRREFUSED: 'The address is not public: allow it with --allow-address.',
}

/** Values that a type does not have, and constraints. Its own code XX000 also means trouble of the cluster. */
const isOfRows = /^2[23][0-9A-Z]{3}$/

/** Returns the failure of a Redshift cluster with what to do. */
export function redshiftProblem(error: unknown, place: string): WarehouseError {
  if (error instanceof WarehouseError) return error
  const { code = 'UNKNOWN', message = String(error) } = Object(error) as { code?: string; message?: string }
  return refusal(place, message, [code], advice, isOfRows.test(code))
}
