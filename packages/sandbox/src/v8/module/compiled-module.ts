import { Script } from 'node:vm'
import type { ModuleFunction } from './module-function.ts'

/** Compiles a module so that its places are those of its source. @throws SyntaxError of this realm. */
export function compiledModule({ text }: ModuleFunction, filename: string): Script {
  return new Script(text, { filename, lineOffset: -1 })
}
