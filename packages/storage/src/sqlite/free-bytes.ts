import { statfsSync } from 'node:fs'
import { StoreFullError } from '@sluice/core'
import { StoreUnusableError } from '../store-errors.ts'

/** Returns how many bytes are free on the disk of a folder. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Checks that a file of `bytes` can be written to a folder and leaves `reserveBytes` free on its disk.
 * @throws StoreFullError when it cannot; StoreUnusableError when there is no such folder.
 */
export function requireFreeBytes(folder: string, bytes: number, reserveBytes: number): void {
  let free = 0
  try {
    free = freeBytesOf(folder)
  } catch (error) {
    throw new StoreUnusableError(`cannot write to ${folder}: ${error instanceof Error ? error.message : error}`)
  }
  if (free < bytes + reserveBytes)
    throw new StoreFullError(
      `the disk of ${folder} has ${free} bytes free; ${bytes} and a reserve of ${reserveBytes} are needed`,
    )
}
