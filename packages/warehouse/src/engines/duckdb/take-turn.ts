import { resolve } from 'node:path'
import { createKeyedQueue } from '@sluice/core'

/** Those who work on each file of this process. */
const files = createKeyedQueue()

/**
 * Waits until this process has closed a file, because it can be open only once.
 * @returns what ends the turn.
 */
export function takeTurn(file: string): Promise<() => void> {
  return new Promise((begin) => {
    void files.run(resolve(file), () => new Promise<void>((end) => begin(end)))
  })
}
