/** What a reader sees of a resource that has no kind of its own. */
export interface Description {
  title: string | null;
  text: string | null;
}
