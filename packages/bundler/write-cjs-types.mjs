import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Writes the declaration file that TypeScript reads for a `require` of the package in this folder. With `module: node16`
 * it refuses the declarations of an ES module from a CommonJS file, though Node loads the module. The file names each
 * value of the module again; types are exported as they are.
 */
export async function writeCjsTypes() {
  const { exports = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { require: required } = exports['.'] ?? {}
  if (required === undefined) return
  const values = await import(pathToFileURL(required.default).href)
  const lines = Object.keys(values)
    .filter((name) => name !== 'default')
    .sort()
    .flatMap((name) => [
      `export declare const ${name}: typeof esm.${name}`,
      ...(isClass(values[name]) ? [`export type ${classType(name)}`] : []),
    ])
  writeFileSync(
    required.types,
    `import type * as esm from './index.js' with { 'resolution-mode': 'import' }
export type * from './index.js' with { 'resolution-mode': 'import' }
${lines.join('\n')}
`,
  )
}

const isClass = (value) => typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))

/** A class is a type, too: `Name = esm.Name`, with its type parameters. */
function classType(name) {
  const [, parameters] = new RegExp(`class ${name}<([\\w, ]+)>`).exec(declarations()) ?? []
  return parameters === undefined ? `${name} = esm.${name}` : `${name}<${parameters}> = esm.${name}<${parameters}>`
}

let read
function declarations() {
  read ??= readdirSync('dist', { recursive: true })
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => readFileSync(join('dist', file), 'utf8'))
    .join('\n')
  return read
}
