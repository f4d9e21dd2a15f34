import { resolve } from 'node:path'

/** The last work on each file of this process. */
const turns = new Map<string, Promise<unknown>>()

/**
 * Waits until this process has closed a file, because it can be open only once.
 * @returns what ends the turn.
 */
export async function takeTurn(given: string): Promise<() => void> {
  const path = resolve(given)
  const before = turns.get(path)
  let end = (): void => {}
  const turn = new Promise<void>((resolve) => {
    end = resolve
  })
  const last = Promise.allSettled([before, turn])
  turns.set(path, last)
  void last.then(() => {
    if (turns.get(path) === last) turns.delete(path)
  })
  await before
  return end
}
