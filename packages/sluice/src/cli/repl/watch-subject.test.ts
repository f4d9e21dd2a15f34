import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findSubject } from '@sluice/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type WatchedSubject, watchSubject } from './watch-subject.ts'

let root: string
let told = 0
let watched: WatchedSubject
const save = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sluice-watch-'))
  save('transformations/mask.js', "import { hide } from 'pii'\nexport const transformEvent = (event) => hide(event)")
  save('libraries/pii.js', 'export const hide = (event) => event')
  told = 0
  watched = watchSubject(
    () => findSubject(join(root, 'transformations/mask.js')),
    () => (told += 1),
    (message) => {
      throw new Error(message)
    },
  )
  await wait(100)
})
afterEach(async () => {
  await watched.close()
  rmSync(root, { recursive: true })
})

it('tells of a save of the transformation, in whatever way the editor does it', async () => {
  save('transformations/mask.js.new', 'export const transformEvent = (event) => event')
  renameSync(join(root, 'transformations/mask.js.new'), join(root, 'transformations/mask.js'))
  await expect.poll(() => told).toBe(1)
})
it('tells of a save of a library', async () => {
  save('libraries/pii.js', 'export const hide = () => null')
  await expect.poll(() => told).toBe(1)
})
it('tells of a library that is imported first and written then', async () => {
  save('transformations/mask.js', "import { show } from 'other'\nexport const transformEvent = (event) => show(event)")
  await expect.poll(() => told).toBe(1)
  save('libraries/other.js', 'export const show = (event) => event')
  await expect.poll(() => told).toBe(2)
})
it('tells when the file is gone, and when it is there again', async () => {
  rmSync(join(root, 'transformations/mask.js'))
  await expect.poll(() => told).toBe(1)
  save('transformations/mask.js', 'export const transformEvent = (event) => event')
  await expect.poll(() => told).toBe(2)
})
it('tells nothing of other files in these folders', async () => {
  save('transformations/.mask.js.swp', 'x')
  save('libraries/unused.js', 'export const a = 1')
  await wait(300)
  save('libraries/pii.js', 'export const hide = () => null')
  await expect.poll(() => told).toBe(1)
})
