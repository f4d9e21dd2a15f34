import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject, type JsonObject } from '@sluice/core'
import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'

export interface InitFlags {
  readonly force?: boolean
}

const template = fileURLToPath(new URL('../../../../template', import.meta.url))
const ownPackage = fileURLToPath(new URL('../../../../package.json', import.meta.url))

/** Runs `sluice init`: copies the template, and creates or completes the package.json. */
export async function initProject(folder: string, { force = false }: InitFlags): Promise<void> {
  const target = resolve(folder)
  const entries = await readdir(template, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(template, join(entry.parentPath, entry.name)))
    .sort()
  const taken = files.map(targetName).filter((file) => existsSync(join(target, file)))
  if (taken.length > 0 && !force)
    throw new CliError(
      `${taken.join(', ')} ${taken.length === 1 ? 'exists' : 'exist'} already; choose another folder, or overwrite with --force`,
    )
  const manifest = await completedManifest(join(target, 'package.json'))
  try {
    await mkdir(target, { recursive: true })
    await cp(template, target, { recursive: true, force: true })
    await rename(join(target, 'gitignore'), join(target, '.gitignore'))
    await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new CliError(`${folder}: the project cannot be written there (${code ?? message}); choose another folder`)
  }
  const where = relative(process.cwd(), target)
  printLine(['package.json', ...files.map(targetName)].map((file) => `  ${join(where, file)}`).join('\n'))
  printLine(`\nNow: ${where === '' ? '' : `cd ${where} && `}npm install && npm test`)
}

/** Returns the final name of a template file: npm does not pack .gitignore files. */
function targetName(file: string): string {
  return file === 'gitignore' ? '.gitignore' : file
}

/** Returns the package.json of the folder with missing parts added and all others unchanged. */
async function completedManifest(file: string): Promise<JsonObject> {
  const own = await readManifest(file)
  const { version, peers } = await versions()
  const needed = {
    '@sluice/sandbox': `^${version}`,
    '@sluice/testing': `^${version}`,
    sluice: `^${version}`,
    ...peers,
  }
  const { dependencies, devDependencies, scripts } = own
  const there = new Set([dependencies, devDependencies].flatMap((part) => Object.keys(objectOf(part))))
  const missing = Object.entries(needed).filter(([name]) => !there.has(name))
  return {
    private: true,
    type: 'module',
    ...own,
    scripts: { test: 'sluice test', ...usefulScripts(objectOf(scripts)) },
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

/** Returns our own version, and those of the packages for running and type-checking tests. */
async function versions(): Promise<{ readonly version: string; readonly peers: JsonObject }> {
  const { version, sluice } = JSON.parse(await readFile(ownPackage, 'utf8')) as {
    version: string
    sluice: { projectPackages: JsonObject }
  }
  return { version, peers: sluice.projectPackages }
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
