import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock } from '@sluice/core'
import { expect, it } from 'vitest'
import { RotatingFile } from './rotating-file.ts'

it('does not disturb appends when rewriting a file fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-rotating-'))
  const file = new RotatingFile(folder, 'events', createManualClock())
  const append = (n: number) =>
    file.append(`${n}\n`, { rotateBytes: 1e6, rotateMs: 1e6, fsync: true }, new AbortController().signal)
  await append(0)
  const [name = ''] = readdirSync(folder)
  let isAppending = true
  const appended = Promise.all(Array.from({ length: 150 }, (_, n) => append(n + 1))).finally(() => {
    isAppending = false
  })
  const failing = (): AsyncIterable<Uint8Array> => {
    throw new Error('there is no room')
  }
  const rewritten = (async () => {
    while (isAppending) await expect(file.rewrite(join(folder, name), failing)).rejects.toThrow('there is no room')
  })()
  await appended
  await rewritten
  expect(readFileSync(join(folder, name), 'utf8')).toBe(Array.from({ length: 151 }, (_, n) => `${n}\n`).join(''))
  await file.close()
  rmSync(folder, { recursive: true })
})
