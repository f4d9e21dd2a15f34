import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { BrowserSdks, ServedFile } from '@sluice/http'

/** Parts have a hash of their content in the name, and no folder. */
const partName = /^[\w-]+(?:\.[\w-]+)*\.js$/

/**
 * Finds the browser SDKs of RudderStack and Segment in packages that are installed in a folder or above it.
 * @param folders where to look, in order. Default: that of Sluice, then the one in which the process runs.
 */
export function installedSdks(folders: readonly string[] = [import.meta.dirname, process.cwd()]): BrowserSdks {
  const known = new Map<string, Promise<ServedFile | undefined>>()
  const load = async (path: string, isImmutable: boolean, toScript: (code: string) => string) => {
    const code = await readInstalled(folders, path)
    if (code === undefined) return undefined
    const bytes = Buffer.from(toScript(code))
    return { bytes, gzip: await promisify(gzip)(bytes), contentType: 'text/javascript; charset=utf-8', isImmutable }
  }
  /** Only files that are there are kept: names come from callers. */
  const find = async (path: string, isImmutable = false, toScript = (code: string): string => code) => {
    const loading = known.get(path) ?? load(path, isImmutable, toScript)
    known.set(path, loading)
    const found = await loading
    if (found === undefined) known.delete(path)
    return found
  }
  return {
    segment: () => find('@segment/analytics-next/dist/umd/standalone.js'),
    segmentPart: async (name) =>
      partName.test(name) ? find(`@segment/analytics-next/dist/umd/${name}`, true) : undefined,
    rudder: (build) => find(`@rudderstack/analytics-js/dist/npm/${build}/bundled/umd/index.js`, false, asPageScript),
  }
}

async function readInstalled(folders: readonly string[], path: string): Promise<string | undefined> {
  for (const folder of folders.flatMap(withParents)) {
    const text = await readFile(join(folder, 'node_modules', path), 'utf8').catch(() => undefined)
    if (text !== undefined) return text
  }
  return undefined
}

/** Returns a folder and those above it. */
function withParents(folder: string): readonly string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...withParents(parent)]
}

/**
 * Turns the build for programs into a script for pages. It makes the one instance that the snippet of a page expects, and
 * leaves the calls that the page has made until then for it.
 */
function asPageScript(code: string): string {
  return `(function () {
var calls = globalThis.rudderanalytics;
${code}
var Sdk = globalThis.rudderanalytics.RudderAnalytics;
globalThis.rudderanalytics = calls;
globalThis.rudderanalytics = new Sdk();
})();
`
}
