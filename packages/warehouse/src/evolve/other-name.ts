import { hash } from 'node:crypto'

/** Returns another name for a column or a table whose name is refused or taken: with an ending that is made of its usual name. */
export function otherName(usual: string, name: string, lengthMax: number): string {
  const ending = `_${hash('sha256', usual).slice(0, 8)}`
  return name.slice(0, lengthMax - ending.length) + ending
}
