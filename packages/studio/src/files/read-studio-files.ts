import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { StudioFile, StudioFiles } from '@sluice/http'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  json: 'application/json',
  ts: 'text/plain; charset=utf-8',
  bin: 'application/octet-stream',
  txt: 'text/plain; charset=utf-8',
}

export interface StudioFilesOptions {
  /** `system` shows the page in the font of the reader's system: no font is loaded. Default `geist`, which the page brings. */
  readonly font?: StudioFont
  /** Where the page was built; default that of this package. */
  readonly folder?: string
  /** Where the playground was built, whose files are below `playground/`; default that of this package. */
  readonly playground?: string
}

export type StudioFont = 'geist' | 'system'

/**
 * Returns the files of the built page. Each is read when it is first requested, and then kept: all of them together take
 * some megabytes.
 */
export function readStudioFiles(options: StudioFilesOptions = {}): StudioFiles {
  const { font = 'geist', folder = folderOf('page'), playground = folderOf('playground') } = options
  const files = new Map<string, Promise<StudioFile | undefined>>()
  return {
    find: (path) => {
      const known = files.get(path)
      if (known) return known
      const file = path.startsWith(playgroundPath)
        ? read(playground, path.slice(playgroundPath.length) || 'index.html')
        : read(folder, path, path === 'index.html' && font === 'system' ? inSystemFont : undefined)
      // Only names of files that exist are kept: others are given by anybody.
      void file.then((found) => {
        if (found) files.set(path, file)
      })
      return file
    },
  }
}

/** Browsers load a font only for text that is shown in it, so the styles of the page need no change. */
const inSystemFont = (page: string): string => page.replace('<html ', '<html data-font="system" ')

const playgroundPath = 'playground/'

/** By name, because this file may be part of a bundle. Next to the page, because a release is without the playground. */
function folderOf(name: 'page' | 'playground'): string {
  return join(dirname(createRequire(import.meta.url).resolve('@sluice/studio/page/index.html')), '..', name)
}

/** @param change what is done to the text of the file. */
async function read(folder: string, path: string, change?: (text: string) => string): Promise<StudioFile | undefined> {
  const name = normalize(path)
  const contentType = types[name.split('.').at(-1) ?? '']
  if (contentType === undefined || name.startsWith('..') || name.startsWith(sep) || name.includes('\0'))
    return undefined
  // A release has the assets compressed only.
  const gzipped = await readFile(join(folder, `${name}.gz`)).catch(() => undefined)
  const stored = await (gzipped ? decompress(gzipped) : readFile(join(folder, name)).catch(() => undefined))
  if (stored === undefined) return undefined
  const bytes = change ? Buffer.from(change(stored.toString())) : stored
  return {
    bytes: new Uint8Array(bytes),
    gzip: new Uint8Array(change || !gzipped ? await compress(bytes, { level: 9 }) : gzipped),
    contentType,
    isImmutable: name.startsWith(`assets${sep}`),
  }
}
