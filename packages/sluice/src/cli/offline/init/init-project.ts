import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CliError } from '../../cli-error.ts'
import { packageFolder } from '../../package-folder.ts'
import { printLine } from '../../terminal/print-line.ts'
import { completedManifest, type OwnManifest, ownManifest } from './completed-manifest.ts'
import { initDestination } from './init-destination.ts'
import { checkoutNotice, ownPackages } from './own-packages.ts'

export interface InitFlags {
  /** Name of a destination to create instead of a project for transformations. */
  readonly destination?: string
  readonly force?: boolean
}

const template = fileURLToPath(new URL('template', packageFolder))

/** Runs `sluice init`: copies the template, and creates or completes the package.json. */
export async function initProject(given: string | undefined, flags: InitFlags): Promise<void> {
  const { destination, force = false } = flags
  if (destination !== undefined) return initDestination(destination, given ?? destination, force)
  const folder = given ?? '.'
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
  const own = await ownManifest()
  const manifest = await projectManifest(join(target, 'package.json'), own)
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
  const notice = checkoutNotice(own)
  if (notice !== undefined) printLine(`\n${notice}`)
  printLine(`\nNow: ${where === '' ? '' : `cd ${where} && `}npm install && npm test`)
}

/** Returns the final name of a template file: npm does not pack .gitignore files. */
function targetName(file: string): string {
  return file === 'gitignore' ? '.gitignore' : file
}

async function projectManifest(file: string, own: OwnManifest) {
  const needed = { ...ownPackages(['sandbox', 'testing', 'sluice'], own), ...own.sluice.projectPackages }
  return completedManifest(file, needed, 'sluice test')
}
