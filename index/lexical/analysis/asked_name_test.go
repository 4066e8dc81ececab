package analysis

import "testing"

// TestAskedNames: a name is not taken for a longer one, nor for one with another end, but stands before
// a word, and a word with a number stands only with that number.
func TestAskedNames(t *testing.T) {
	standing := func(question, text string) NameStanding {
		names := AskedNames(question)
		if len(names) != 1 {
			t.Errorf("the names in %q are %+v", question, names)
			return NameAbsent
		}
		return names[0].StandingIn(text)
	}
	for _, c := range []struct {
		question, text string
		want           NameStanding
	}{
		{"泼尼松剂量", "泼尼松龙片，每次5毫克。", OnlyNameAlike},
		{"泼尼松剂量", "泼尼松片，每次5毫克。", NameStands},
		{"泼尼松剂量", "泼尼松口服，每次5毫克。", NameStands},
		{"泼尼松剂量", "泼尼松龙不同于泼尼松。", NameStands},
		{"潑尼松劑量", "泼尼松龙片", OnlyNameAlike},
		{"泼尼松龙剂量", "泼尼松片，每次5毫克。", OnlyNameAlike},
		{"泼尼松龙剂量", "泼尼松龙，每次5毫克。", NameStands},
		{"长春碱剂量", "长春新碱，每次2毫克。", OnlyNameAlike},
		{"头孢克洛剂量", "头孢克肟，每次2毫克。", OnlyNameAlike},
		{"头孢克洛剂量", "阿司匹林", NameAbsent},
		{"黑枸杞怎么吃", "黑枸杞拥有很多营养。", NameStands},
		{"物体的导数叫什么", "导数是变化率。", NameAbsent},
		{"刘禅继位后担任什么", "刘禅继位，封向宠为都亭侯。", NameAbsent},
		{"人迎穴扎太深会怎样", "人迎穴在颈部", NameAbsent},
		{"天突穴蕤太深会怎样", "天突穴在颈部", NameAbsent},
		{"Type 1 permit", "Type 10 vehicles and Type 2 diabetes", OnlyNameAlike},
		{"Type 1 permit", "Types 1 and 2", NameStands},
		{"Type 2 permit", "Type II diabetes", NameStands},
		{"Type 1 permit", "10 vehicles", NameAbsent},
		{"projector in Room 101B", "Room 101 has a projector", OnlyNameAlike},
		{"projector in room 101", "Room 101B has a projector", OnlyNameAlike},
		{"projector in room 101", "Room No. 101", NameStands},
		{"Mark-3 rounds", "the Mark 33", OnlyNameAlike},
		{"Mark-3 rounds", "the Mark 3.", NameStands},
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
