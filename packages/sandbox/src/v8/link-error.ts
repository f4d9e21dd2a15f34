import type { ModuleSyntaxError } from './module/module-function.ts'

/** Why the modules of a program do not fit together. */
export class LinkError extends Error {}

export const missingText = (specifier: string): string => `import from ${specifier} failed. Module not found.`

/** An import of a module that does not exist. */
export class MissingModule extends LinkError {
  readonly specifier: string

  constructor(specifier: string) {
    super(missingText(specifier))
    this.specifier = specifier
  }
}

/** An import of a name that a module does not export. */
export class MissingExport extends LinkError {
  readonly specifier: string
  /** Module name of the library. */
  readonly module: string
  readonly missing: string

  constructor(specifier: string, module: string, missing: string) {
    super(`The requested module '${specifier}' does not provide an export named '${missing}'`)
    this.specifier = specifier
    this.module = module
    this.missing = missing
  }
}

/** A module that awaits at its top level what never comes. */
export class UnsettledModule extends LinkError {}

/** A module of a program that cannot be made a function. */
export class BadModule extends LinkError {
  readonly error: ModuleSyntaxError
  readonly module: string

  constructor(error: ModuleSyntaxError, module: string) {
    super(error.message)
    this.error = error
    this.module = module
  }
}
