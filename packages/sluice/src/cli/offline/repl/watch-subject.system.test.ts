import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findSubject } from '@sluice/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type WatchedSubject, watchSubject } from './watch-subject.ts'

let root: string
let changes = 0
let watched: WatchedSubject
const save = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sluice-watch-'))
  save('transformations/mask.js', "import { hide } from 'pii'\nexport const transformEvent = (event) => hide(event)")
  save('libraries/pii.js', 'export const hide = (event) => event')
  changes = 0
  watched = watchSubject(
    () => findSubject(join(root, 'transformations/mask.js')),
    () => (changes += 1),
    (message) => {
      throw new Error(message)
    },
  )
  await watched.ready
})
afterEach(async () => {
  await watched.close()
  rmSync(root, { recursive: true })
})

it('reports a save of the transformation, however the editor saves', async () => {
  save('transformations/mask.js.new', 'export const transformEvent = (event) => event')
  renameSync(join(root, 'transformations/mask.js.new'), join(root, 'transformations/mask.js'))
  await expect.poll(() => changes).toBe(1)
})
it('reports a save of a library', async () => {
  save('libraries/pii.js', 'export const hide = () => null')
  await expect.poll(() => changes).toBe(1)
})
it('reports a library that is imported before it is written', async () => {
  save('transformations/mask.js', "import { show } from 'other'\nexport const transformEvent = (event) => show(event)")
  await expect.poll(() => changes).toBe(1)
  save('libraries/other.js', 'export const show = (event) => event')
  await expect.poll(() => changes).toBe(2)
})
it('reports when the file is gone, and when it is back', async () => {
  rmSync(join(root, 'transformations/mask.js'))
  await expect.poll(() => changes).toBe(1)
  save('transformations/mask.js', 'export const transformEvent = (event) => event')
  await expect.poll(() => changes).toBe(2)
})
it('ignores other files in these folders', async () => {
  save('transformations/.mask.js.swp', 'x')
  save('libraries/unused.js', 'export const a = 1')
  save('libraries/pii.js', 'export const hide = () => null')
  await expect.poll(() => changes).toBe(1)
  save('libraries/pii.js', 'export const hide = () => undefined')
  await expect.poll(() => changes).toBe(2)
})
