import type { Schema } from './valid-values.ts'

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Schema
}

/** What the document says of one method of one path. */
export interface Operation {
  readonly path: string
  readonly method: string
  readonly parameters: readonly Parameter[]
  readonly body?: Schema
  readonly needsBody: boolean
  /** Names of the credentials, any of which lets a caller in. */
  readonly credentials: ReadonlySet<string>
}

interface DocumentedOperation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { schema: Schema }>> }
  readonly security: readonly object[]
}

/** Returns the operations of an OpenAPI document. */
export function operationsOf(document: { readonly paths: object }): readonly Operation[] {
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, security }]) => {
      const schema = requestBody?.content['application/json']?.schema
      return {
        path,
        method,
        parameters,
        body: schema,
        needsBody: requestBody?.required ?? false,
        credentials: new Set(security.flatMap((each) => Object.keys(each))),
      }
    }),
  )
}
