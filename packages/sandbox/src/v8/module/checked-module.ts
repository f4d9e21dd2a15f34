import { Script } from 'node:vm'
import type { ModuleFunction } from './module-function.ts'

/**
 * Checks that a module has the syntax of one, and finds whether it awaits at its top level. A function accepts what a
 * module does not, such as `return`, and braces that end it early; a static block of a class accepts neither, and no
 * `await` of its own.
 * @throws SyntaxError of this realm, with the place as V8 shows it.
 */
export function checkedModule({ check, text }: ModuleFunction, filename: string): { readonly isAsync: boolean } {
  const compile = (code: string): Script => new Script(code, { filename, lineOffset: -1 })
  try {
    compile(check)
    return { isAsync: false }
  } catch (thrown) {
    if (!/\bawait\b/.test(text) || !compiles(() => compile(asAsync(check)))) throw thrown
    return { isAsync: true }
  }
}

/** The same check in an async function, which must not be ended early either. */
function asAsync(check: string): string {
  return `(class { static { (class { static async check() { ${check.slice('(class { static { '.length, -' } })'.length)}\n} }) } })`
}

function compiles(action: () => unknown): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}
