// Versions of a live table.

/** Whether a version is older than another: `41`, after the first undo `38.1`. Every version is newer than the empty one. */
export function isOlder(version: string, other: string): boolean {
  if (other === "") return false;
  const [ply = 0, undos = 0] = version.split(".").map(Number);
  const [otherPly = 0, otherUndos = 0] = other.split(".").map(Number);
  return undos < otherUndos || (undos === otherUndos && ply < otherPly);
}
