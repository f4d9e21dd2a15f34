import type { Context } from 'hono'

/** A file that is served. */
export interface ServedFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The same, compressed by gzip. */
  readonly gzip: Uint8Array<ArrayBuffer>
  readonly contentType: string
  /** Whether the name contains a hash of the content, so that browsers may keep it. */
  readonly isImmutable: boolean
}

/** Answers with a file, compressed where the client takes it. Other headers are those set before. */
export function fileAnswer(context: Context, file: ServedFile): Response {
  const isCompressed =
    /\bgzip\b/.test(context.req.header('accept-encoding') ?? '') && file.gzip.length < file.bytes.length
  context.header('Content-Type', file.contentType)
  context.header('Vary', 'Accept-Encoding')
  if (file.isImmutable) context.header('Cache-Control', 'public, max-age=31536000, immutable')
  if (isCompressed) context.header('Content-Encoding', 'gzip')
  return context.body(isCompressed ? file.gzip : file.bytes)
}
