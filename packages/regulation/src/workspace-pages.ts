/** Returns items in pages of one workspace each, of at most `max` items; those of a workspace keep their order. */
export function workspacePages<Item extends { readonly workspaceId: string }>(
  items: readonly Item[],
  max: number,
): readonly { readonly workspaceId: string; readonly page: readonly Item[] }[] {
  const byWorkspace = new Map<string, Item[]>()
  for (const item of items) {
    const known = byWorkspace.get(item.workspaceId)
    if (known) known.push(item)
    else byWorkspace.set(item.workspaceId, [item])
  }
  return [...byWorkspace].flatMap(([workspaceId, all]) =>
    Array.from({ length: Math.ceil(all.length / max) }, (_, i) => ({
      workspaceId,
      page: all.slice(i * max, (i + 1) * max),
    })),
  )
}
