import { StoreUnusableError } from '../../store-errors.ts'
import { driverProblem } from './driver-problem.ts'
import { loadDriver } from './load-driver.ts'
import type { DriverOptions, SqliteDriver } from './sqlite-driver.ts'

/**
 * Opens a file with the driver, which is loaded by the first call: it is an optional package.
 * @throws StoreUnusableError when there is no driver for this Node and system. The message says what to do.
 */
export function openDriver(path: string, options: DriverOptions): SqliteDriver {
  try {
    return new (loadDriver())(path, options)
  } catch (error) {
    const problem = driverProblem(error)
    throw problem === undefined ? error : new StoreUnusableError(problem)
  }
}
