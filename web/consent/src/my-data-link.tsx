import { useWords } from './words/use-words.ts';

export function MyDataLink() {
  const { myDataLink } = useWords();
  return (
    <a className="button button-plain" href="#/my-data">
      {myDataLink}
    </a>
  );
}
