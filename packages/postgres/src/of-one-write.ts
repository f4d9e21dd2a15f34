import { UnknownOutcomeError } from '@sluice/pipeline/store'
import { StoreUnusableError } from '@sluice/storage'
import pg from 'pg'
import { DatabaseReplacedError } from './connect/database-replaced-error.ts'
import { AnswerLostError, UnreachableError } from './connect/lost-answers.ts'
import { NotServingError } from './membership/not-serving-error.ts'

/** SQLSTATE of data that a statement cannot have: data exceptions, violated constraints, and limits of the server. */
const ofData = /^(?:22|23|54)/

/** Errors of the connection, or of this process in its cluster: all writes meet them. */
const ofAll = [
  AnswerLostError,
  UnknownOutcomeError,
  UnreachableError,
  DatabaseReplacedError,
  NotServingError,
  StoreUnusableError,
]

/**
 * Returns whether writes that shared a transaction may succeed one by one: after errors of the data of one, and errors of our
 * own code. After a time-out each of them would wait for as long.
 */
export function isOfOneWrite(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return ofData.test(error.code ?? '')
  return !ofAll.some((kind) => error instanceof kind)
}
