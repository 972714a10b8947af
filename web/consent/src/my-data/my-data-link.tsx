import { useWords } from '../words/language.tsx';

export function MyDataLink() {
  const { myData } = useWords();
  return (
    <a className="button button-plain" href="#/my-data">
      {myData.link}
    </a>
  );
}
