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
  wasm: 'application/wasm',
  json: 'application/json',
  ts: 'text/plain; charset=utf-8',
  bin: 'application/octet-stream',
  txt: 'text/plain; charset=utf-8',
}

/**
 * Returns the files of the built page. Each is read when it is first requested, and then kept: all of them together take
 * some megabytes.
 *
 * @param folder where the page was built; default that of this package.
 * @param playground where the playground was built, whose files are below `playground/`; default that of this package.
 */
export function readStudioFiles(folder = folderOf('page'), playground = folderOf('playground')): StudioFiles {
  const files = new Map<string, Promise<StudioFile | undefined>>()
  return {
    find: (path) => {
      const known = files.get(path)
      if (known) return known
      const file = path.startsWith(playgroundPath)
        ? read(playground, path.slice(playgroundPath.length) || 'index.html')
        : read(folder, path)
      // Only names of files that exist are kept: others are given by anybody.
      void file.then((found) => {
        if (found) files.set(path, file)
      })
      return file
    },
  }
}

const playgroundPath = 'playground/'

/** By name, because this file may be part of a bundle. Next to the page, because a release is without the playground. */
function folderOf(name: 'page' | 'playground'): string {
  return join(dirname(createRequire(import.meta.url).resolve('@sluice/studio/page/index.html')), '..', name)
}

async function read(folder: string, path: string): Promise<StudioFile | undefined> {
  const name = normalize(path)
  const contentType = types[name.split('.').at(-1) ?? '']
  if (contentType === undefined || name.startsWith('..') || name.startsWith(sep) || name.includes('\0'))
    return undefined
  // A release has the assets compressed only.
  const gzipped = await readFile(join(folder, `${name}.gz`)).catch(() => undefined)
  const bytes = await (gzipped ? decompress(gzipped) : readFile(join(folder, name)).catch(() => undefined))
  if (bytes === undefined) return undefined
  return {
    bytes: new Uint8Array(bytes),
    gzip: new Uint8Array(gzipped ?? (await compress(bytes, { level: 9 }))),
    contentType,
    isImmutable: name.startsWith(`assets${sep}`),
  }
}
