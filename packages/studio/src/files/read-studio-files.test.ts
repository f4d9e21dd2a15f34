import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readStudioFiles } from './read-studio-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-page-'))
  mkdirSync(join(folder, 'assets'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

describe('the files of the page', () => {
  it('are found when a release has them compressed only', async () => {
    const gzipped = gzipSync('export const one = 1')
    writeFileSync(join(folder, 'assets/page.js.gz'), gzipped)
    const file = await readStudioFiles({ folder }).find('assets/page.js')
    expect(text(file?.bytes)).toBe('export const one = 1')
    expect(file?.gzip).toEqual(new Uint8Array(gzipped))
    expect(file).toMatchObject({ contentType: 'text/javascript; charset=utf-8', isImmutable: true })
  })

  it('are compressed when they are read as they are', async () => {
    writeFileSync(join(folder, 'index.html'), '<title>Sluice</title>')
    const file = await readStudioFiles({ folder }).find('index.html')
    expect(text(file?.bytes)).toBe('<title>Sluice</title>')
    expect(file?.gzip).toEqual(new Uint8Array(gzipSync('<title>Sluice</title>', { level: 9 })))
  })

  it('show the page in the font of the system where that is chosen, and all else as it is', async () => {
    const page = '<html lang="en"><title>html </title>'
    writeFileSync(join(folder, 'index.html'), page)
    writeFileSync(join(folder, 'assets/page.html'), page)
    const files = readStudioFiles({ folder, font: 'system' })
    const found = await files.find('index.html')
    expect(text(found?.bytes)).toBe('<html data-font="system" lang="en"><title>html </title>')
    expect(text(gunzipSync(found?.gzip ?? ''))).toBe(text(found?.bytes))
    expect(text((await files.find('assets/page.html'))?.bytes)).toBe(page)
    expect(text((await readStudioFiles({ folder }).find('index.html'))?.bytes)).toBe(page)
  })

  it('have the type of fonts', async () => {
    writeFileSync(join(folder, 'assets/geist-1a2b.woff2.gz'), gzipSync('font'))
    const file = await readStudioFiles({ folder }).find('assets/geist-1a2b.woff2')
    expect(file).toMatchObject({ contentType: 'font/woff2', isImmutable: true })
  })

  it('are none outside of the folder, and none of an unknown kind', async () => {
    writeFileSync(join(folder, 'assets/page.js.gz'), gzipSync(''))
    const files = readStudioFiles({ folder: join(folder, 'assets') })
    for (const path of ['../index.html', 'absent.js', 'page.js.gz']) expect(await files.find(path)).toBeUndefined()
  })
})
