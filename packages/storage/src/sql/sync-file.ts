import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Returns when a file, or the names in a folder, are on disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
