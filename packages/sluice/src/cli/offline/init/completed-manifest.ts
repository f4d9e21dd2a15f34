import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isJsonObject, type JsonObject } from '@sluice/core'
import { CliError } from '../../cli-error.ts'
import { packageFolder } from '../../package-folder.ts'

const ownPackage = fileURLToPath(new URL('package.json', packageFolder))

/**
 * Returns the package.json of a folder with missing parts added and all others unchanged.
 * @param needed versions by package.
 * @param test the script `test`, unless there is a useful one.
 * @throws CliError when the file is not a JSON object.
 */
export async function completedManifest(file: string, needed: JsonObject, test: string): Promise<JsonObject> {
  const own = await readManifest(file)
  const { dependencies, devDependencies, scripts } = own
  const there = new Set([dependencies, devDependencies].flatMap((part) => Object.keys(objectOf(part))))
  const missing = Object.entries(needed).filter(([name]) => !there.has(name))
  return {
    private: true,
    type: 'module',
    ...own,
    scripts: { test, ...usefulScripts(objectOf(scripts)) },
    devDependencies: { ...objectOf(devDependencies), ...Object.fromEntries(missing) },
  }
}

/** The test script of `npm init`, which only fails. */
function usefulScripts({ test, ...others }: JsonObject): JsonObject {
  return typeof test === 'string' && !test.includes('no test specified') ? { ...others, test } : others
}

async function readManifest(file: string): Promise<JsonObject> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    const manifest: unknown = JSON.parse(text)
    if (isJsonObject(manifest)) return manifest
  } catch {
    // Reported below.
  }
  throw new CliError(`${file} is not a JSON object; fix it first`)
}

/** What of the package.json of this package a new project is made from. */
export interface OwnManifest {
  readonly version: string
  readonly dependencies: JsonObject
  /** Packages for running and type-checking tests of transformations. */
  readonly sluice: { readonly projectPackages: JsonObject }
}

/** Returns the package.json of this package. */
export async function ownManifest(): Promise<OwnManifest> {
  return JSON.parse(await readFile(ownPackage, 'utf8')) as OwnManifest
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
