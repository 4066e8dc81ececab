package analysis

import "testing"

// TestAskedNames: a name is not taken for a longer one, nor for one with another end, but stands before
// a word, and a word with a number stands only with that number.
func TestAskedNames(t *testing.T) {
	standing := func(question, text string) NamePresence {
		names := AskedNames(question)
		if len(names) != 1 {
			t.Errorf("the names in %q are %+v", question, names)
			return NameAbsent
		}
		return names[0].PresenceIn(text)
	}
	for _, c := range []struct {
		question, text string
		want           NamePresence
	}{
		{"泼尼松剂量", "泼尼松龙片，每次5毫克。", OnlySimilarName},
		{"泼尼松剂量", "泼尼松片，每次5毫克。", NamePresent},
		{"泼尼松剂量", "泼尼松口服，每次5毫克。", NamePresent},
		{"泼尼松剂量", "泼尼松龙不同于泼尼松。", NamePresent},
		{"潑尼松劑量", "泼尼松龙片", OnlySimilarName},
		{"泼尼松龙剂量", "泼尼松片，每次5毫克。", OnlySimilarName},
		{"泼尼松龙剂量", "泼尼松龙，每次5毫克。", NamePresent},
		{"长春碱剂量", "长春新碱，每次2毫克。", OnlySimilarName},
		{"头孢克洛剂量", "头孢克肟，每次2毫克。", OnlySimilarName},
		{"头孢克洛剂量", "阿司匹林", NameAbsent},
		{"黑枸杞怎么吃", "黑枸杞拥有很多营养。", NamePresent},
		{"物体的导数叫什么", "导数是变化率。", NameAbsent},
		{"刘禅继位后担任什么", "刘禅继位，封向宠为都亭侯。", NameAbsent},
		{"人迎穴扎太深会怎样", "人迎穴在颈部", NameAbsent},
		{"天突穴蕤太深会怎样", "天突穴在颈部", NameAbsent},
		{"Type 1 permit", "Type 10 vehicles and Type 2 diabetes", OnlySimilarName},
		{"Type 1 permit", "Types 1 and 2", NamePresent},
		{"Type 2 permit", "Type II diabetes", NamePresent},
		{"Type 1 permit", "10 vehicles", NameAbsent},
		{"projector in Room 101B", "Room 101 has a projector", OnlySimilarName},
		{"projector in room 101", "Room 101B has a projector", OnlySimilarName},
		{"projector in room 101", "Room No. 101", NamePresent},
		{"Mark-3 rounds", "the Mark 33", OnlySimilarName},
		{"Mark-3 rounds", "the Mark 3.", NamePresent},
	} {
		if got := standing(c.question, c.text); got != c.want {
			t.Errorf("%q has %q: %v, want %v", c.text, c.question, got, c.want)
		}
	}
	for _, question := range []string{"头孢剂量", "Type 1.5 diabetes", "Type 1-3", "March 2024", "with Abrine 5% cream", "阿司匹林和布洛芬剂量 in room 12"} {
		want := 0
		if question[0] == 0xe9 { // the last has three names
			want = 3
		}
		if names := AskedNames(question); len(names) != want {
			t.Errorf("the names in %q are %+v", question, names)
		}
	}
}

// TestNumberedTimes checks that a numbered day or week is told from others, and known in other writings.
func TestNumberedTimes(t *testing.T) {
	for _, c := range []struct {
		question, text string
		want           NamePresence
	}{
		{"what happens on day 15", "visits on day 1 and day 14", OnlySimilarName},
		{"what happens on day 15", "visits on day 1 and day 15", NamePresent},
		{"what happens on day 15", "visits on days 14-16, day 20", NamePresent},
		{"what happens on day 15", "day 14; D15 is free", NamePresent},
		{"what happens on day 15", "day 14, and the fifteenth day", NamePresent},
		{"what happens on day 15", "Am Tag 15 wird Blut genommen.", NamePresent},
		{"what happens on day 15", "第15天抽血", NamePresent},
		{"what happens on day 15", "第150天抽血", NameAbsent},
		{"blood in week 13", "in week 12, and 13 samples", NamePresent},
		{"blood in week 13", "in week 12, and 130 samples", OnlySimilarName},
		{"blood in week 13", "thirteen weeks", NamePresent},
	} {
		names := AskedNames(c.question)
		if len(names) != 1 {
			t.Errorf("%q: %v", c.question, names)
			continue
		}
		if got := names[0].PresenceIn(c.text); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.question, c.text, got, c.want)
		}
	}
	for _, question := range []string{"take 2 tablets every day", "day 1.5", "after 5 days", "day 2024"} {
		if names := AskedNames(question); len(names) > 0 && !names[0].IsQuantity() {
			t.Errorf("%q: %v", question, names)
		}
	}
}
