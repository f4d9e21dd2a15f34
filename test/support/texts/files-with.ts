import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files below a folder that hold a text, compared byte by byte. */
export function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text))
}
